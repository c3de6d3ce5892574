ALTER TABLE "predictions" ADD COLUMN "stored_bytes" bigint;--> statement-breakpoint
CREATE FUNCTION "stored_bytes_of"("files" jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(sum((file ->> 'sizeBytes')::bigint), 0)::bigint
	FROM jsonb_array_elements(CASE jsonb_typeof("files") WHEN 'array' THEN "files" ELSE '[]' END) AS file
$$;--> statement-breakpoint
-- The inputs and outputs of a prediction count from when its row names them until it names them no more. The conditions
-- keep these triggers out of everything else that happens to a prediction.
CREATE FUNCTION "prediction_stored_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."stored_bytes" := "stored_bytes_of"(NEW."media") + "stored_bytes_of"(NEW."outputs");
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION "prediction_storage_follow"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		PERFORM "account_storage_add"(NEW."account_id", NEW."stored_bytes");
	ELSIF TG_OP = 'DELETE' THEN
		PERFORM "account_storage_add"(OLD."account_id", -OLD."stored_bytes");
	ELSE
		PERFORM "account_storage_add"(NEW."account_id", coalesce(NEW."stored_bytes", 0) - coalesce(OLD."stored_bytes", 0));
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "prediction_files_added" BEFORE INSERT ON "predictions" FOR EACH ROW WHEN (NEW."media" <> '[]' OR NEW."outputs" IS NOT NULL) EXECUTE FUNCTION "prediction_stored_bytes"();--> statement-breakpoint
CREATE TRIGGER "prediction_files_changed" BEFORE UPDATE OF "media", "outputs" ON "predictions" FOR EACH ROW WHEN (NEW."media" IS DISTINCT FROM OLD."media" OR NEW."outputs" IS DISTINCT FROM OLD."outputs") EXECUTE FUNCTION "prediction_stored_bytes"();--> statement-breakpoint
CREATE TRIGGER "prediction_storage_added" AFTER INSERT ON "predictions" FOR EACH ROW WHEN (NEW."stored_bytes" > 0) EXECUTE FUNCTION "prediction_storage_follow"();--> statement-breakpoint
CREATE TRIGGER "prediction_storage_changed" AFTER UPDATE OF "media", "outputs", "stored_bytes" ON "predictions" FOR EACH ROW WHEN (NEW."stored_bytes" IS DISTINCT FROM OLD."stored_bytes") EXECUTE FUNCTION "prediction_storage_follow"();--> statement-breakpoint
CREATE TRIGGER "prediction_storage_removed" AFTER DELETE ON "predictions" FOR EACH ROW WHEN (OLD."stored_bytes" > 0) EXECUTE FUNCTION "prediction_storage_follow"();--> statement-breakpoint
-- Files of sync operations and reserved files. The rows there now have no sizes and expire within the retention time.
CREATE FUNCTION "generation_storage_follow"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		PERFORM "account_storage_add"(NEW."account_id", "stored_bytes_of"(NEW."outputs"));
	ELSE
		PERFORM "account_storage_add"(OLD."account_id", -"stored_bytes_of"(OLD."outputs"));
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "generation_storage_follow" AFTER INSERT OR DELETE ON "generations" FOR EACH ROW EXECUTE FUNCTION "generation_storage_follow"();
