ALTER TABLE "accounts" ADD COLUMN "limits" jsonb;--> statement-breakpoint
CREATE TRIGGER "accounts_limits_changed" AFTER UPDATE OF "limits" ON "accounts" FOR EACH ROW WHEN (OLD."limits" IS DISTINCT FROM NEW."limits") EXECUTE FUNCTION "sign_in_rules_changed"();
