-- A row that is long goes without its text and terms into the pages that a count has to read.
ALTER TABLE "capture_facts" SET (toast_tuple_target = 512);
