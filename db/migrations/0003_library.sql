CREATE TABLE "library" (
	"id" integer PRIMARY KEY NOT NULL,
	"revision" bigint NOT NULL,
	"copied_revision" bigint,
	"rows" integer NOT NULL,
	"settings" jsonb NOT NULL,
	"webhook_key" text,
	CONSTRAINT "library_one_row" CHECK ("library"."id" = 1)
);
