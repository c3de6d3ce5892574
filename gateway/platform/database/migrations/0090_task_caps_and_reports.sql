CREATE TABLE "tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"holder" text NOT NULL,
	"metadata_key" text NOT NULL,
	"value" text NOT NULL,
	"amount" numeric,
	"max_runs" integer,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tasks_value" UNIQUE("holder","metadata_key","value")
);
--> statement-breakpoint
CREATE TABLE "barred_files" (
	"sha256" text NOT NULL,
	"scope" text NOT NULL,
	"account_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "barred_files_sha256_scope_pk" PRIMARY KEY("sha256","scope")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"share_id" text NOT NULL,
	"output_id" text NOT NULL,
	"sha256" text NOT NULL,
	"reason" text NOT NULL,
	"comment" text NOT NULL,
	"email" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"decided_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "task_budget" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "task_budget" jsonb;--> statement-breakpoint
ALTER TABLE "budget_balances" ADD COLUMN "runs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "budget_balances" ADD COLUMN "last_run_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "barred_files" ADD CONSTRAINT "barred_files_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tasks_account" ON "tasks" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "barred_files_account" ON "barred_files" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "reports_account" ON "reports" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "reports_share" ON "reports" USING btree ("share_id");--> statement-breakpoint
CREATE INDEX "reports_hash" ON "reports" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "budget_balances_task" ON "budget_balances" USING btree ("last_run_at") WHERE kind = 'task';--> statement-breakpoint
DROP TRIGGER "api_keys_changed" ON "api_keys";--> statement-breakpoint
CREATE TRIGGER "api_keys_changed" AFTER DELETE OR UPDATE OF "secret_hash", "previous_secret_hash", "previous_expires_at", "scopes", "models", "regions", "requests_per_minute", "max_concurrency", "monthly_budget", "budgets", "task_budget", "user_id", "answered_by", "expires_at", "revoked_at" ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();--> statement-breakpoint
CREATE TRIGGER "accounts_task_budget_changed" AFTER UPDATE OF "task_budget" ON "accounts" FOR EACH ROW WHEN (OLD."task_budget" IS DISTINCT FROM NEW."task_budget") EXECUTE FUNCTION "sign_in_rules_changed"();
