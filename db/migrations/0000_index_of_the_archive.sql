CREATE TABLE "batch_items" (
	"batch_id" uuid NOT NULL,
	"capture_id" uuid NOT NULL,
	"state" text NOT NULL,
	"job_id" uuid,
	"error" jsonb,
	CONSTRAINT "batch_items_batch_id_capture_id_pk" PRIMARY KEY("batch_id","capture_id")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"request" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "capture_days" (
	"day" integer PRIMARY KEY NOT NULL,
	"facts" text
);
--> statement-breakpoint
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
CREATE TABLE "capture_kinds" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "capture_kinds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	CONSTRAINT "capture_kinds_kind_unique" UNIQUE("kind")
);
--> statement-breakpoint
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
	"corrections" integer DEFAULT 0 NOT NULL,
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
	"corrections" integer DEFAULT 0 NOT NULL,
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
	"refinement" jsonb,
	"batch_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "command_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"outcome" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dictionary_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"word" text NOT NULL,
	"folded" text NOT NULL,
	"replacement" text,
	"aliases" jsonb NOT NULL,
	"case_sensitive" boolean NOT NULL,
	"whole_word" boolean NOT NULL,
	"is_regex" boolean NOT NULL,
	"enabled" boolean NOT NULL,
	"language" text,
	"priority" integer NOT NULL,
	"source" text NOT NULL,
	"usage_count" integer NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_commands" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"folded_name" text NOT NULL,
	"triggers" jsonb NOT NULL,
	"instructions" text,
	"steps" jsonb,
	"usage_count" integer NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "writing_styles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"folded_name" text NOT NULL,
	"description" text NOT NULL,
	"kind" text NOT NULL,
	"tone" text NOT NULL,
	"instructions" text NOT NULL,
	"examples" jsonb NOT NULL,
	"smart_cleanup" boolean,
	"self_correction" boolean,
	"preserve_technical" boolean,
	"use_llm" boolean NOT NULL,
	"rules" jsonb NOT NULL,
	"app_categories" jsonb NOT NULL,
	"apps" jsonb NOT NULL,
	"url_patterns" jsonb NOT NULL,
	"language" text,
	"stt_model" text,
	"llm_model" text,
	"enabled" boolean NOT NULL,
	"is_default" boolean NOT NULL,
	"priority" integer NOT NULL,
	"usage_count" integer NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_capture_id_captures_id_fk" FOREIGN KEY ("capture_id") REFERENCES "public"."captures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batch_items_unfinished" ON "batch_items" USING btree ("batch_id","capture_id") WHERE state in ('waiting', 'queued');--> statement-breakpoint
CREATE INDEX "batches_newest" ON "batches" USING btree ("created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "capture_facts_newest" ON "capture_facts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST,"source","status","language","model","app_name","app_id","starred") WHERE place = 'kept';--> statement-breakpoint
CREATE INDEX "capture_facts_trashed" ON "capture_facts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE place = 'trashed';--> statement-breakpoint
CREATE INDEX "capture_facts_terms" ON "capture_facts" USING gin ("search_terms") WITH (fastupdate=false) WHERE place = 'kept';--> statement-breakpoint
CREATE INDEX "capture_facts_counted" ON "capture_facts" USING btree ("quarter") WHERE place <> 'trashed';--> statement-breakpoint
CREATE INDEX "captures_newest" ON "captures" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "captures_audio" ON "captures" USING btree ("audio_sha256");--> statement-breakpoint
CREATE INDEX "captures_unfinished" ON "captures" USING btree ("id") WHERE status in ('pending', 'transcribing', 'refining');--> statement-breakpoint
CREATE INDEX "deleted_captures_made" ON "deleted_captures" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_unfinished" ON "jobs" USING btree ("capture_id") WHERE state in ('waiting', 'active');--> statement-breakpoint
CREATE INDEX "jobs_newest" ON "jobs" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "jobs_capture" ON "jobs" USING btree ("capture_id");--> statement-breakpoint
CREATE INDEX "jobs_batch" ON "jobs" USING btree ("batch_id") WHERE batch_id is not null;--> statement-breakpoint
CREATE INDEX "command_runs_newest" ON "command_runs" USING btree ("number" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "dictionary_entries_word" ON "dictionary_entries" USING btree ("folded",coalesce("language", ''));--> statement-breakpoint
CREATE INDEX "dictionary_entries_newest" ON "dictionary_entries" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "saved_commands_name" ON "saved_commands" USING btree ("folded_name");--> statement-breakpoint
CREATE UNIQUE INDEX "writing_styles_name" ON "writing_styles" USING btree ("folded_name");--> statement-breakpoint
CREATE UNIQUE INDEX "writing_styles_default" ON "writing_styles" USING btree ("is_default") WHERE is_default;--> statement-breakpoint
-- Written by hand from here on. Not compressed: a search looks at many of them. Room in each page, so that a change which
-- no index sees costs none. A row that is long goes without its text and terms into the pages that a count has to read.
ALTER TABLE "capture_facts" ALTER COLUMN "search_text" SET STORAGE EXTERNAL, ALTER COLUMN "search_terms" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "capture_facts" SET (fillfactor = 90, toast_tuple_target = 512);--> statement-breakpoint
-- All days are read at once, so none of them is kept elsewhere or compressed while it fits into a page.
ALTER TABLE "capture_days" ALTER COLUMN "facts" SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160);--> statement-breakpoint
-- Whoever changes what is counted, and however: the day is counted anew.
CREATE FUNCTION "recount_capture_day"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO capture_days (day)
    SELECT DISTINCT floor(quarter / 96.0)::integer FROM unnest(ARRAY[OLD.quarter, NEW.quarter]) AS quarter WHERE quarter IS NOT NULL
    ON CONFLICT (day) DO UPDATE SET facts = NULL WHERE capture_days.facts IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "capture_facts_added" AFTER INSERT OR DELETE ON "capture_facts" FOR EACH ROW EXECUTE FUNCTION recount_capture_day();--> statement-breakpoint
CREATE TRIGGER "capture_facts_changed" AFTER UPDATE ON "capture_facts" FOR EACH ROW
  WHEN ((OLD.place, OLD.created_at, OLD.quarter, OLD.kind, OLD.word_count, OLD.duration_ms, OLD.corrections) IS DISTINCT FROM (NEW.place, NEW.created_at, NEW.quarter, NEW.kind, NEW.word_count, NEW.duration_ms, NEW.corrections))
  EXECUTE FUNCTION recount_capture_day();
