-- Written by hand: captures that are there were recorded when they were received, and indexes follow a renamed column.
ALTER TABLE "capture_facts" RENAME COLUMN "created_at" TO "recorded_at";--> statement-breakpoint
ALTER TABLE "captures" ADD COLUMN "recorded_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "captures" SET "recorded_at" = "created_at";--> statement-breakpoint
ALTER TABLE "captures" ALTER COLUMN "recorded_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "deleted_captures" ADD COLUMN "recorded_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "deleted_captures" SET "recorded_at" = "created_at";--> statement-breakpoint
ALTER TABLE "deleted_captures" ALTER COLUMN "recorded_at" SET NOT NULL;
