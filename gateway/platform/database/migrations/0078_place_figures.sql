-- What happened at a provider in a region, without its keys and models, is a fraction of the rows, as keys alone are ('payer'). One
-- statement adds both.
ALTER FUNCTION "figure_payers_add"() RENAME TO "figure_shorter_add";
--> statement-breakpoint
ALTER TRIGGER "figure_payers_added" ON "figure_additions" RENAME TO "figure_shorter_added";
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "figure_shorter_add"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "figure_additions"
		("account_id", "set", "kind", "model", "operation", "key_id", "provider", "region", "status", "code", "at",
		"runs", "bytes_in", "bytes_out", "tokens_in", "tokens_out", "generating_ms", "times")
	SELECT "account_id", 'payer', "kind", "model", "operation", "key_id", '', '', "status", "code", "at",
		"runs", "bytes_in", "bytes_out", "tokens_in", "tokens_out", "generating_ms", "times"
	FROM "added" WHERE "set" = 'key'
	UNION ALL
	SELECT "account_id", 'place', "kind", '', '', '', "provider", "region", "status", "code", "at",
		"runs", "bytes_in", "bytes_out", "tokens_in", "tokens_out", "generating_ms", "times"
	FROM "added" WHERE "set" IN ('key', 'try');
	RETURN NULL;
END
$$;
--> statement-breakpoint
-- From when on the set 'place' is whole, as figure_payers_since() says it of 'payer'.
DO $$
BEGIN
	EXECUTE format(
		'CREATE FUNCTION "figure_places_since"() RETURNS timestamp with time zone LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
		format('SELECT %L::timestamp with time zone', CASE
			WHEN EXISTS (SELECT FROM "figures") OR EXISTS (SELECT FROM "figure_additions")
			THEN date_trunc('day', now() + interval '25 hours', 'UTC')::text
			ELSE '-infinity'
		END)
	);
END
$$;
