CREATE TABLE "capture_facts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"place" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"quarter" integer NOT NULL,
	"kind" text NOT NULL,
	"word_count" integer NOT NULL,
	"duration_ms" integer,
	"corrections" integer NOT NULL,
	"status" text NOT NULL,
	"source" text NOT NULL,
	"language" text,
	"model" text,
	"app_name" text,
	"app_id" text,
	"starred" boolean NOT NULL,
	"search_digest" text NOT NULL,
	"search_text" text NOT NULL,
	"search_terms" "tsvector" NOT NULL
);
--> statement-breakpoint
DROP INDEX IF EXISTS "captures_words";--> statement-breakpoint
DROP INDEX IF EXISTS "captures_trigrams";--> statement-breakpoint
CREATE INDEX "capture_facts_newest" ON "capture_facts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE place = 'kept';--> statement-breakpoint
CREATE INDEX "capture_facts_trashed" ON "capture_facts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE place = 'trashed';--> statement-breakpoint
CREATE INDEX "capture_facts_terms" ON "capture_facts" USING gin ("search_terms") WITH (fastupdate=false) WHERE place = 'kept';--> statement-breakpoint
CREATE INDEX "capture_facts_statistics" ON "capture_facts" USING btree ("created_at","quarter","kind","word_count","duration_ms","corrections") WHERE place <> 'trashed';--> statement-breakpoint
ALTER TABLE "captures" DROP COLUMN "search_vector", DROP COLUMN "search_text";--> statement-breakpoint
-- Not compressed: a search looks at many of them. Room in each page, so that a change which no index sees costs none.
ALTER TABLE "capture_facts" ALTER COLUMN "search_text" SET STORAGE EXTERNAL, ALTER COLUMN "search_terms" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "capture_facts" SET (fillfactor = 90);--> statement-breakpoint
-- Those of captures that are kept are made at the next start, from their texts.
INSERT INTO "capture_facts" SELECT id, 'gone', created_at, floor(extract(epoch FROM created_at) / 900)::integer, json_build_array(source, status = 'failed', refined, language, stt_model, left(app_id, 150), left(app_name, 150))::text, word_count, duration_ms, corrections, status, source, language, stt_model, NULL, NULL, false, '', '', '' FROM "deleted_captures" WHERE status IN ('completed', 'failed');
