-- Most predictions are accepted without files: for these the function ends at once, which is a seventh of an insert's time.
CREATE OR REPLACE FUNCTION "prediction_storage_sum"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	account text;
	change bigint;
BEGIN
	IF TG_OP = 'INSERT' THEN
		IF NOT EXISTS (SELECT FROM added WHERE "stored_bytes" > 0) THEN RETURN NULL; END IF;
		FOR account, change IN SELECT "account_id", sum("stored_bytes") FROM added WHERE "stored_bytes" > 0 GROUP BY 1 ORDER BY 1
		LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	ELSE
		FOR account, change IN SELECT "account_id", -sum("stored_bytes") FROM removed WHERE "stored_bytes" > 0 GROUP BY 1 ORDER BY 1
		LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	END IF;
	RETURN NULL;
END $$;
