ALTER TABLE "accounts" ADD COLUMN "networks" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "networks" text[];--> statement-breakpoint
CREATE TRIGGER "accounts_networks_changed" AFTER UPDATE OF "networks" ON "accounts" FOR EACH ROW WHEN (OLD."networks" IS DISTINCT FROM NEW."networks") EXECUTE FUNCTION "sign_in_rules_changed"();--> statement-breakpoint
CREATE TRIGGER "api_keys_networks_changed" AFTER UPDATE OF "networks" ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();
