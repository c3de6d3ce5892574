-- What a key did without its providers and regions is a fraction of the rows. The database adds it up beside the set 'key', so that
-- the release before this one, which knows nothing of it, does so too.
CREATE FUNCTION "figure_payers_add"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "figure_additions"
		("account_id", "set", "kind", "model", "operation", "key_id", "status", "code", "at",
		"runs", "bytes_in", "bytes_out", "tokens_in", "tokens_out", "generating_ms", "times")
	SELECT "account_id", 'payer', "kind", "model", "operation", "key_id", "status", "code", "at",
		"runs", "bytes_in", "bytes_out", "tokens_in", "tokens_out", "generating_ms", "times"
	FROM "added" WHERE "set" = 'key';
	RETURN NULL;
END
$$;
--> statement-breakpoint
-- Its own rows fire it, too.
CREATE TRIGGER "figure_payers_added" AFTER INSERT ON "figure_additions" REFERENCING NEW TABLE AS "added"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "figure_payers_add"();
--> statement-breakpoint
-- From when on the set 'payer' is whole; what is older is read of the set 'key'. A day whose first requests were counted before the
-- trigger is not whole, and clocks differ.
DO $$
BEGIN
	EXECUTE format(
		'CREATE FUNCTION "figure_payers_since"() RETURNS timestamp with time zone LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
		format('SELECT %L::timestamp with time zone', CASE
			WHEN EXISTS (SELECT FROM "figures") OR EXISTS (SELECT FROM "figure_additions")
			THEN date_trunc('day', now() + interval '25 hours', 'UTC')::text
			ELSE '-infinity'
		END)
	);
END
$$;
