CREATE TABLE "captures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"source" text NOT NULL,
	"status" text NOT NULL,
	"error" jsonb,
	"language" text,
	"detected_language" text,
	"language_probability" double precision,
	"duration_ms" integer,
	"transcript_raw" text NOT NULL,
	"transcript_engine" text NOT NULL,
	"transcript_refined" text,
	"refinement_status" text NOT NULL,
	"refinement_flags" jsonb,
	"stt_model" text,
	"llm_model" text,
	"writing_style_id" uuid,
	"word_count" integer NOT NULL,
	"audio_path" text NOT NULL,
	"audio_available" boolean NOT NULL,
	"audio_bytes" bigint NOT NULL,
	"audio_sha256" text NOT NULL,
	"audio_type" text NOT NULL,
	"title" text,
	"file_name" text,
	"app_name" text,
	"app_id" text,
	"app_url" text,
	"window_title" text,
	"starred" boolean NOT NULL,
	"trashed_at" timestamp (3) with time zone,
	"processing_ms" jsonb NOT NULL,
	"search_text" text NOT NULL,
	"search_vector" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', left(search_text, 200000))) STORED,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deleted_captures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"status" text NOT NULL,
	"word_count" integer NOT NULL,
	"duration_ms" integer,
	"stt_model" text,
	"language" text,
	"app_name" text,
	"app_id" text,
	"refined" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"capture_id" uuid NOT NULL,
	"state" text NOT NULL,
	"progress" double precision NOT NULL,
	"attempts" integer NOT NULL,
	"error" jsonb,
	"model" text,
	"language" text,
	"prompt" text,
	"keep_refined" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_capture_id_captures_id_fk" FOREIGN KEY ("capture_id") REFERENCES "public"."captures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "captures_newest" ON "captures" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "captures_unfinished" ON "captures" USING btree ("id") WHERE status in ('pending', 'transcribing', 'refining');--> statement-breakpoint
CREATE INDEX "captures_words" ON "captures" USING gin ("search_vector");--> statement-breakpoint
CREATE INDEX "captures_trigrams" ON "captures" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "deleted_captures_made" ON "deleted_captures" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_unfinished" ON "jobs" USING btree ("capture_id") WHERE state in ('waiting', 'active');--> statement-breakpoint
CREATE INDEX "jobs_newest" ON "jobs" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "jobs_capture" ON "jobs" USING btree ("capture_id");