-- gatehouse: no transaction
-- Two tables that only grow, and that no list reads, get a partition per day (gateway/database/partitions.ts), so that old
-- days can be dropped. The table of today becomes the first partition, as it is. It lasts for another month: until then
-- the previous release needs no new partitions, and finds the name of the key by which it recognises a repeated batch.
CREATE OR REPLACE FUNCTION pg_temp.bound("parent" text, "key" text, "prefix" text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	ms bigint := extract(epoch from date_trunc('day', now(), 'UTC') + interval '31 days') * 1000;
	ulid text := (SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * place)) & 31)::int + 1, 1), '' ORDER BY place DESC) FROM generate_series(0, 9) place) || repeat('0', 16);
BEGIN
	IF EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = "parent"::regclass) THEN RETURN; END IF;
	EXECUTE format('ALTER TABLE %I DROP CONSTRAINT IF EXISTS first_days, ADD CONSTRAINT first_days CHECK (%I < %L) NOT VALID', "parent", "key", "prefix" || ulid);
END $$;
--> statement-breakpoint
-- Reads every row and blocks no one; the next step then needs no scan of its own under its lock.
CREATE OR REPLACE FUNCTION pg_temp.validate("parent" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = "parent"::regclass) THEN RETURN; END IF;
	EXECUTE format('ALTER TABLE %I VALIDATE CONSTRAINT first_days', "parent");
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION pg_temp.divide("parent" text, "key" text, "columns" text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	"first" text := "parent" || '_first';
	bound text := (SELECT substring(pg_get_constraintdef(oid) from '''(.+)''') FROM pg_constraint WHERE conrelid = "parent"::regclass AND conname = 'first_days');
BEGIN
	IF EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = "parent"::regclass) THEN RETURN; END IF;
	EXECUTE format('ALTER TABLE %I RENAME TO %I', "parent", "first");
	EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING COMPRESSION, CONSTRAINT %I PRIMARY KEY (%s)) PARTITION BY RANGE (%I)', "parent", "first", "parent" || '_key', "columns", "key");
	EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', "parent", "first", bound);
	EXECUTE format('ALTER TABLE %I DROP CONSTRAINT first_days', "first");
END $$;
--> statement-breakpoint
SELECT pg_temp.bound('webhook_attempts', 'delivery_id', 'dlv_');
--> statement-breakpoint
SELECT pg_temp.validate('webhook_attempts');
--> statement-breakpoint
SELECT pg_temp.divide('webhook_attempts', 'delivery_id', '"delivery_id", "id"');
--> statement-breakpoint
SELECT pg_temp.bound('usage_lines', 'run', '');
--> statement-breakpoint
SELECT pg_temp.validate('usage_lines');
--> statement-breakpoint
SELECT pg_temp.divide('usage_lines', 'run', '"run", "kind"');
