CREATE TABLE "capture_days" (
	"day" integer PRIMARY KEY NOT NULL,
	"facts" text
);
--> statement-breakpoint
CREATE TABLE "capture_kinds" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "capture_kinds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	CONSTRAINT "capture_kinds_kind_unique" UNIQUE("kind")
);
--> statement-breakpoint
DROP INDEX "capture_facts_statistics";--> statement-breakpoint
CREATE INDEX "capture_facts_counted" ON "capture_facts" USING btree ("quarter") WHERE place <> 'trashed';--> statement-breakpoint
-- All days are read at once, so none of them is kept elsewhere or compressed while it fits into a page.
ALTER TABLE "capture_days" ALTER COLUMN "facts" SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160);--> statement-breakpoint
INSERT INTO "capture_days" ("day") SELECT DISTINCT floor(quarter / 96.0)::integer FROM "capture_facts";--> statement-breakpoint
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
