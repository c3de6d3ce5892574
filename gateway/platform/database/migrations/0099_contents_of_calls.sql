CREATE TABLE "content_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"sealed_by" text,
	"ciphertext" text,
	"kept_bytes" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- A partition per day, so that old days are dropped whole (gateway/platform/database/partitions.ts). What is in them is
-- compressed and sealed, so PostgreSQL would compress it in vain.
CREATE TABLE "contents" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request_id" text,
	"key_id" text,
	"user_id" text,
	"model" text NOT NULL,
	"api_type" text NOT NULL,
	"is_stored" boolean NOT NULL,
	"metadata" jsonb,
	"content_key" text NOT NULL,
	"secret" "bytea" NOT NULL,
	"opening" "bytea" NOT NULL,
	"sealed" "bytea" NOT NULL,
	"size_bytes" integer NOT NULL
) PARTITION BY RANGE ("id");
--> statement-breakpoint
ALTER TABLE "contents" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;
--> statement-breakpoint
DO $$
DECLARE
	ms bigint := extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day') * 1000;
	ulid text := (SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * place)) & 31)::int + 1, 1), '' ORDER BY place DESC) FROM generate_series(0, 9) place) || repeat('0', 16);
BEGIN
	EXECUTE format('CREATE TABLE contents_first PARTITION OF contents FOR VALUES FROM (MINVALUE) TO (%L)', 'gen_' || ulid);
END $$;
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "contents" jsonb;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "contents" text;
--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "declines_contents" boolean;
--> statement-breakpoint
ALTER TABLE "response_jobs" ADD COLUMN "declines_contents" boolean;
--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "contents" text;
--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "client_request_id" text;
--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "conversation" text;
--> statement-breakpoint
ALTER TABLE "content_keys" ADD CONSTRAINT "content_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "content_keys_current" ON "content_keys" USING btree ("account_id") WHERE ciphertext is not null;
--> statement-breakpoint
CREATE INDEX "content_keys_erased" ON "content_keys" USING btree ("id") WHERE ciphertext is null;
--> statement-breakpoint
CREATE INDEX "contents_account" ON "contents" USING btree ("account_id","id");
--> statement-breakpoint
CREATE INDEX "contents_stored" ON "contents" USING btree ("account_id","id") WHERE is_stored;
--> statement-breakpoint
-- A cached credential knows what its account and its key keep.
CREATE TRIGGER "accounts_contents_changed" AFTER UPDATE OF "contents" ON "accounts" FOR EACH ROW WHEN (OLD."contents" IS DISTINCT FROM NEW."contents") EXECUTE FUNCTION "sign_in_rules_changed"();
--> statement-breakpoint
DROP TRIGGER "api_keys_changed" ON "api_keys";
--> statement-breakpoint
CREATE TRIGGER "api_keys_changed" AFTER DELETE OR UPDATE OF "secret_hash", "previous_secret_hash", "previous_expires_at", "scopes", "models", "regions", "requests_per_minute", "max_concurrency", "monthly_budget", "budgets", "task_budget", "contents", "user_id", "answered_by", "expires_at", "revoked_at" ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();
