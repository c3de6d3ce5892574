-- What is inserted or removed in one statement changes an account's storage once, not once a row.
CREATE FUNCTION "prediction_storage_sum"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	account text;
	change bigint;
BEGIN
	IF TG_OP = 'INSERT' THEN
		FOR account, change IN SELECT "account_id", sum("stored_bytes") FROM added WHERE "stored_bytes" > 0 GROUP BY 1 ORDER BY 1
		LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	ELSE
		FOR account, change IN SELECT "account_id", -sum("stored_bytes") FROM removed WHERE "stored_bytes" > 0 GROUP BY 1 ORDER BY 1
		LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "generation_storage_sum"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	account text;
	change bigint;
BEGIN
	IF TG_OP = 'INSERT' THEN
		FOR account, change IN SELECT "account_id", sum("stored_bytes_of"("outputs")) FROM added GROUP BY 1 ORDER BY 1
		LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	ELSE
		FOR account, change IN SELECT "account_id", -sum("stored_bytes_of"("outputs")) FROM removed GROUP BY 1 ORDER BY 1
		LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER "prediction_storage_added" ON "predictions";--> statement-breakpoint
DROP TRIGGER "prediction_storage_removed" ON "predictions";--> statement-breakpoint
CREATE TRIGGER "prediction_storage_added" AFTER INSERT ON "predictions" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "prediction_storage_sum"();--> statement-breakpoint
CREATE TRIGGER "prediction_storage_removed" AFTER DELETE ON "predictions" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "prediction_storage_sum"();--> statement-breakpoint
DROP TRIGGER "generation_storage_follow" ON "generations";--> statement-breakpoint
DROP FUNCTION "generation_storage_follow";--> statement-breakpoint
CREATE TRIGGER "generation_storage_added" AFTER INSERT ON "generations" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "generation_storage_sum"();--> statement-breakpoint
CREATE TRIGGER "generation_storage_removed" AFTER DELETE ON "generations" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "generation_storage_sum"();
