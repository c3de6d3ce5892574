ALTER TABLE "batches" ADD COLUMN "stored_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A batch is one row whatever its rows are, so its storage follows it by itself. Batches of earlier releases count nothing until they end.
CREATE FUNCTION "batch_storage_follow"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		PERFORM "account_storage_add"(NEW."account_id", NEW."stored_bytes");
	ELSIF TG_OP = 'DELETE' THEN
		PERFORM "account_storage_add"(OLD."account_id", -OLD."stored_bytes");
	ELSE
		PERFORM "account_storage_add"(NEW."account_id", NEW."stored_bytes" - OLD."stored_bytes");
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "batch_storage_added" AFTER INSERT ON "batches" FOR EACH ROW WHEN (NEW."stored_bytes" > 0) EXECUTE FUNCTION "batch_storage_follow"();--> statement-breakpoint
CREATE TRIGGER "batch_storage_changed" AFTER UPDATE OF "stored_bytes" ON "batches" FOR EACH ROW WHEN (NEW."stored_bytes" <> OLD."stored_bytes") EXECUTE FUNCTION "batch_storage_follow"();--> statement-breakpoint
CREATE TRIGGER "batch_storage_removed" AFTER DELETE ON "batches" FOR EACH ROW WHEN (OLD."stored_bytes" > 0) EXECUTE FUNCTION "batch_storage_follow"();
