ALTER TABLE "accounts" ADD COLUMN "tokens_per_minute" integer;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "model_tokens_per_minute" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "tokens_per_minute" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "model_tokens_per_minute" jsonb;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "tokens_per_minute" integer;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "model_tokens_per_minute" jsonb;--> statement-breakpoint
DROP TRIGGER "api_keys_changed" ON "api_keys";--> statement-breakpoint
CREATE TRIGGER "api_keys_changed" AFTER DELETE OR UPDATE OF "secret_hash", "previous_secret_hash", "previous_expires_at", "scopes", "models", "regions", "requests_per_minute", "tokens_per_minute", "model_tokens_per_minute", "max_concurrency", "monthly_budget", "budgets", "task_budget", "contents", "user_id", "answered_by", "expires_at", "revoked_at" ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();--> statement-breakpoint
CREATE TRIGGER "accounts_token_rates_changed" AFTER UPDATE OF "tokens_per_minute", "model_tokens_per_minute" ON "accounts" FOR EACH ROW WHEN ((OLD."tokens_per_minute", OLD."model_tokens_per_minute") IS DISTINCT FROM (NEW."tokens_per_minute", NEW."model_tokens_per_minute")) EXECUTE FUNCTION "sign_in_rules_changed"();
