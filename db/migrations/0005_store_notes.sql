CREATE TABLE "store_notes" (
	"id" integer PRIMARY KEY NOT NULL,
	"store_id" uuid NOT NULL,
	"is_filled" boolean DEFAULT false NOT NULL
);
