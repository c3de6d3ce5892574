CREATE TABLE "usage_model_days" (
	"account_id" text NOT NULL,
	"day" text NOT NULL,
	"model" text NOT NULL,
	"unit" text NOT NULL,
	"is_growth" boolean NOT NULL,
	"quantity" numeric NOT NULL,
	"runs" integer NOT NULL,
	"cost" numeric,
	"cost_not_priced" integer NOT NULL,
	"charge" numeric,
	"charge_not_priced" integer NOT NULL,
	CONSTRAINT "usage_model_days_key" PRIMARY KEY("account_id","day","model","unit","is_growth")
);
--> statement-breakpoint
ALTER TABLE "usage_model_days" ADD CONSTRAINT "usage_model_days_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "usage_model_days_day" ON "usage_model_days" USING btree ("day");--> statement-breakpoint
-- Adds new sums and the growth of earlier ones to their model's day, also when the previous release writes them. Each statement locks
-- the rows of growth before the others, and both in the order of their key, so two statements never wait for each other.
CREATE FUNCTION "usage_model_days_add"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "usage_model_days" AS kept ("account_id", "day", "model", "unit", "is_growth",
			"quantity", "runs", "cost", "cost_not_priced", "charge", "charge_not_priced")
		SELECT "account_id", "day", "model", "unit", false, sum("quantity"), sum("runs"),
			sum("cost"), coalesce(sum("runs") FILTER (WHERE "cost" IS NULL), 0),
			sum("charge"), coalesce(sum("runs") FILTER (WHERE "charge" IS NULL), 0)
		FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
		ON CONFLICT ON CONSTRAINT "usage_model_days_key" DO UPDATE SET
			"quantity" = kept."quantity" + excluded."quantity", "runs" = kept."runs" + excluded."runs",
			"cost" = coalesce(kept."cost" + excluded."cost", kept."cost", excluded."cost"),
			"cost_not_priced" = kept."cost_not_priced" + excluded."cost_not_priced",
			"charge" = coalesce(kept."charge" + excluded."charge", kept."charge", excluded."charge"),
			"charge_not_priced" = kept."charge_not_priced" + excluded."charge_not_priced";
	ELSE
		INSERT INTO "usage_model_days" AS kept ("account_id", "day", "model", "unit", "is_growth",
			"quantity", "runs", "cost", "cost_not_priced", "charge", "charge_not_priced")
		SELECT "account_id", "day", "model", "unit", true, sum("quantity"), sum("runs"),
			sum("cost"), coalesce(sum("runs") FILTER (WHERE "cost" IS NULL), 0),
			sum("charge"), coalesce(sum("runs") FILTER (WHERE "charge" IS NULL), 0)
		FROM (
			SELECT "account_id", "day", "model", "unit", "quantity", "runs", "cost", "charge" FROM added
			UNION ALL
			SELECT "account_id", "day", "model", "unit", -"quantity", -"runs", -"cost", -"charge" FROM before
		) growth
		GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
		ON CONFLICT ON CONSTRAINT "usage_model_days_key" DO UPDATE SET
			"quantity" = kept."quantity" + excluded."quantity", "runs" = kept."runs" + excluded."runs",
			"cost" = coalesce(kept."cost" + excluded."cost", kept."cost", excluded."cost"),
			"cost_not_priced" = kept."cost_not_priced" + excluded."cost_not_priced",
			"charge" = coalesce(kept."charge" + excluded."charge", kept."charge", excluded."charge"),
			"charge_not_priced" = kept."charge_not_priced" + excluded."charge_not_priced";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "usage_sums_added" AFTER INSERT ON "usage_sums" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "usage_model_days_add"();
--> statement-breakpoint
CREATE TRIGGER "usage_sums_grown" AFTER UPDATE ON "usage_sums" REFERENCING OLD TABLE AS before NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "usage_model_days_add"();
--> statement-breakpoint
-- Adds up a day anew. No sum of any day changes meanwhile: a transaction that changes one keeps a lock that this waits for.
CREATE FUNCTION "usage_model_day_fill"("wanted" text) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
	LOCK TABLE "usage_sums" IN SHARE MODE;
	DELETE FROM "usage_model_days" WHERE "day" = "wanted";
	INSERT INTO "usage_model_days" ("account_id", "day", "model", "unit", "is_growth",
		"quantity", "runs", "cost", "cost_not_priced", "charge", "charge_not_priced")
	SELECT "account_id", "day", "model", "unit", false, sum("quantity"), sum("runs"),
		sum("cost"), coalesce(sum("runs") FILTER (WHERE "cost" IS NULL), 0),
		sum("charge"), coalesce(sum("runs") FILTER (WHERE "charge" IS NULL), 0)
	FROM "usage_sums" WHERE "day" = "wanted" GROUP BY 1, 2, 3, 4;
	RETURN 1;
END $$;
