-- gatehouse: no transaction
CREATE TABLE IF NOT EXISTS "usage_lines" (
	"run" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"run_prefix" text NOT NULL,
	"unit" text NOT NULL,
	"quantity" numeric NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text,
	"user_id" text,
	"model" text NOT NULL,
	"provider" text NOT NULL,
	"region" text NOT NULL,
	"day" text NOT NULL,
	CONSTRAINT "usage_lines_run_kind_pk" PRIMARY KEY("run","kind")
);
--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN IF NOT EXISTS "user_id" text;
--> statement-breakpoint
-- Sums become exact decimals. A change of the column's type would lock the table until every row is rewritten, so a
-- second column is filled in batches while a trigger keeps it up to date, and then takes the first one's place.
ALTER TABLE "usage_daily" ADD COLUMN IF NOT EXISTS "exact_quantity" numeric;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "usage_daily_exact"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."exact_quantity" := NEW."quantity";
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "usage_daily_exact" BEFORE INSERT OR UPDATE ON "usage_daily" FOR EACH ROW EXECUTE FUNCTION "usage_daily_exact"();
--> statement-breakpoint
-- gatehouse: repeat
WITH batch AS (
	SELECT DISTINCT "account_id", "day" FROM "usage_daily"
	WHERE ("account_id", "day") > (split_part($1, ' ', 1), split_part($1, ' ', 2))
	ORDER BY "account_id", "day" LIMIT 50
), filled AS (
	UPDATE "usage_daily" u SET "exact_quantity" = u."quantity" FROM batch b
	WHERE u."account_id" = b."account_id" AND u."day" = b."day" AND u."exact_quantity" IS NULL
)
SELECT (SELECT "account_id" || ' ' || "day" FROM batch ORDER BY "account_id" DESC, "day" DESC LIMIT 1) AS cursor, count(*) AS rows FROM batch;
--> statement-breakpoint
ALTER TABLE "usage_daily" DROP CONSTRAINT IF EXISTS "usage_daily_exact", ADD CONSTRAINT "usage_daily_exact" CHECK ("exact_quantity" IS NOT NULL) NOT VALID;
--> statement-breakpoint
-- Reads every row without blocking writers; SET NOT NULL then needs no scan of its own under its exclusive lock.
ALTER TABLE "usage_daily" VALIDATE CONSTRAINT "usage_daily_exact";
--> statement-breakpoint
DO $$
BEGIN
	ALTER TABLE "usage_daily" ALTER COLUMN "exact_quantity" SET NOT NULL, ALTER COLUMN "exact_quantity" SET DEFAULT 0;
	DROP TRIGGER "usage_daily_exact" ON "usage_daily";
	ALTER TABLE "usage_daily" DROP CONSTRAINT "usage_daily_exact";
	ALTER TABLE "usage_daily" DROP COLUMN "quantity";
	ALTER TABLE "usage_daily" RENAME COLUMN "exact_quantity" TO "quantity";
END $$;
--> statement-breakpoint
DROP FUNCTION IF EXISTS "usage_daily_exact"();
