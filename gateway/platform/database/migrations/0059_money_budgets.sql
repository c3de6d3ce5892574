CREATE TABLE "account_credits" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"amount" numeric NOT NULL,
	"note" text NOT NULL,
	"added_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "budget_balances" (
	"kind" text NOT NULL,
	"holder" text NOT NULL,
	"period" text NOT NULL,
	"starts_on" text NOT NULL,
	"account_id" text NOT NULL,
	"spent" numeric DEFAULT '0' NOT NULL,
	"reserved" numeric DEFAULT '0' NOT NULL,
	CONSTRAINT "budget_balances_holder_period_starts_on_pk" PRIMARY KEY("holder","period","starts_on")
);
--> statement-breakpoint
CREATE TABLE "budget_thresholds" (
	"holder" text NOT NULL,
	"period" text NOT NULL,
	"starts_on" text NOT NULL,
	"budget" text NOT NULL,
	"share" smallint NOT NULL,
	"account_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "budget_thresholds_holder_period_starts_on_budget_share_pk" PRIMARY KEY("holder","period","starts_on","budget","share")
);
--> statement-breakpoint
CREATE TABLE "money_reservations" (
	"run_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"amount" numeric NOT NULL,
	"balances" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "budgets" jsonb;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "credit" numeric;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "budgets" jsonb;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "budgets" jsonb;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "budgets" jsonb;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "reserved_cost" numeric;--> statement-breakpoint
ALTER TABLE "account_credits" ADD CONSTRAINT "account_credits_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_balances" ADD CONSTRAINT "budget_balances_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_thresholds" ADD CONSTRAINT "budget_thresholds_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "money_reservations" ADD CONSTRAINT "money_reservations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_credits_account" ON "account_credits" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "budget_balances_account" ON "budget_balances" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "budget_balances_start" ON "budget_balances" USING btree ("starts_on") WHERE starts_on <> '';--> statement-breakpoint
CREATE INDEX "budget_thresholds_account" ON "budget_thresholds" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "budget_thresholds_start" ON "budget_thresholds" USING btree ("starts_on") WHERE starts_on <> '';--> statement-breakpoint
CREATE INDEX "money_reservations_expiry" ON "money_reservations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "money_reservations_account" ON "money_reservations" USING btree ("account_id","expires_at");--> statement-breakpoint
ALTER TABLE "budget_balances" SET (fillfactor = 50);--> statement-breakpoint
DROP TRIGGER "api_keys_changed" ON "api_keys";--> statement-breakpoint
CREATE TRIGGER "api_keys_changed" AFTER DELETE OR UPDATE OF "secret_hash", "previous_secret_hash", "previous_expires_at", "scopes", "models", "regions", "requests_per_minute", "max_concurrency", "monthly_budget", "budgets", "user_id", "answered_by", "expires_at", "revoked_at" ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();--> statement-breakpoint
CREATE TRIGGER "accounts_money_changed" AFTER UPDATE OF "budgets", "credit" ON "accounts" FOR EACH ROW WHEN ((OLD."budgets" IS NULL AND OLD."credit" IS NULL) IS DISTINCT FROM (NEW."budgets" IS NULL AND NEW."credit" IS NULL)) EXECUTE FUNCTION "sign_in_rules_changed"();
