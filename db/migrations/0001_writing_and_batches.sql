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
CREATE TABLE "command_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
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
ALTER TABLE "captures" drop column "search_vector";--> statement-breakpoint
ALTER TABLE "captures" ADD COLUMN "search_vector" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', left(search_text, 200000))) STORED;--> statement-breakpoint
ALTER TABLE "captures" ADD COLUMN "corrections" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deleted_captures" ADD COLUMN "corrections" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "refinement" jsonb;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "batch_id" uuid;--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batch_items_unfinished" ON "batch_items" USING btree ("batch_id","capture_id") WHERE state in ('waiting', 'queued');--> statement-breakpoint
CREATE INDEX "batches_newest" ON "batches" USING btree ("created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "command_runs_newest" ON "command_runs" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "dictionary_entries_word" ON "dictionary_entries" USING btree ("folded",coalesce("language", ''));--> statement-breakpoint
CREATE INDEX "dictionary_entries_newest" ON "dictionary_entries" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "saved_commands_name" ON "saved_commands" USING btree ("folded_name");--> statement-breakpoint
CREATE UNIQUE INDEX "writing_styles_name" ON "writing_styles" USING btree ("folded_name");--> statement-breakpoint
CREATE UNIQUE INDEX "writing_styles_default" ON "writing_styles" USING btree ("is_default") WHERE is_default;--> statement-breakpoint
CREATE INDEX "jobs_batch" ON "jobs" USING btree ("batch_id") WHERE batch_id is not null;