ALTER TABLE "figure_additions" ADD COLUMN "tokens_cached" bigint;--> statement-breakpoint
ALTER TABLE "figures" ADD COLUMN "tokens_cached" bigint;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "figure_shorter_add"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "figure_additions"
		("account_id", "set", "kind", "model", "operation", "key_id", "provider", "region", "status", "code", "at",
		"runs", "bytes_in", "bytes_out", "tokens_in", "tokens_out", "generating_ms", "times", "tokens_cached")
	SELECT "account_id", 'payer', "kind", "model", "operation", "key_id", '', '', "status", "code", "at",
		"runs", "bytes_in", "bytes_out", "tokens_in", "tokens_out", "generating_ms", "times", "tokens_cached"
	FROM "added" WHERE "set" = 'key'
	UNION ALL
	SELECT "account_id", 'place', "kind", '', '', '', "provider", "region", "status", "code", "at",
		"runs", "bytes_in", "bytes_out", "tokens_in", "tokens_out", "generating_ms", "times", "tokens_cached"
	FROM "added" WHERE "set" IN ('key', 'try');
	RETURN NULL;
END
$$;
