CREATE TABLE "capture_segments" (
	"capture_id" uuid PRIMARY KEY NOT NULL,
	"segments" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "capture_versions" (
	"capture_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"stt_model" text,
	"language" text,
	"detected_language" text,
	"transcript_raw" text NOT NULL,
	"transcript_engine" text NOT NULL,
	"transcript_refined" text,
	"segments" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"by_hand" boolean NOT NULL,
	"replaced_by_hand" boolean NOT NULL,
	"bytes" integer NOT NULL,
	CONSTRAINT "capture_versions_capture_id_number_pk" PRIMARY KEY("capture_id","number")
);
--> statement-breakpoint
CREATE TABLE "retention_notes" (
	"id" integer PRIMARY KEY NOT NULL,
	"seen_at" bigint NOT NULL,
	"announced" jsonb
);
--> statement-breakpoint
ALTER TABLE "captures" ADD COLUMN "shelved" jsonb;--> statement-breakpoint
ALTER TABLE "captures" ADD COLUMN "copied_revision" integer;--> statement-breakpoint
ALTER TABLE "deleted_captures" ADD COLUMN "audio_path" text;--> statement-breakpoint
ALTER TABLE "capture_segments" ADD CONSTRAINT "capture_segments_capture_id_captures_id_fk" FOREIGN KEY ("capture_id") REFERENCES "public"."captures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "capture_versions" ADD CONSTRAINT "capture_versions_capture_id_captures_id_fk" FOREIGN KEY ("capture_id") REFERENCES "public"."captures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "captures_uncopied" ON "captures" USING btree ("id") WHERE copied_revision is distinct from revision;--> statement-breakpoint
CREATE INDEX "deleted_captures_unerased" ON "deleted_captures" USING btree ("id") WHERE audio_path is not null;