-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "outputs_hash" ON "outputs" USING btree (hashtextextended("account_id" || "sha256", 0));
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "outputs_sha256";
