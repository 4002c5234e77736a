DROP INDEX "command_runs_newest";--> statement-breakpoint
ALTER TABLE "command_runs" ADD COLUMN "number" bigint;--> statement-breakpoint
UPDATE "command_runs" SET "number" = "numbered"."number" FROM (SELECT "id", row_number() OVER (ORDER BY "created_at", "id") AS "number" FROM "command_runs") AS "numbered" WHERE "command_runs"."id" = "numbered"."id";--> statement-breakpoint
ALTER TABLE "command_runs" ALTER COLUMN "number" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "command_runs_newest" ON "command_runs" USING btree ("number" DESC NULLS FIRST);
