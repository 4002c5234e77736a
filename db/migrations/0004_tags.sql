ALTER TABLE "capture_facts" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "captures" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "capture_facts_tags" ON "capture_facts" USING gin ("tags") WITH (fastupdate=false) WHERE tags <> '{}';--> statement-breakpoint
CREATE INDEX "captures_tagged" ON "captures" USING btree ("id") WHERE tags <> '{}';