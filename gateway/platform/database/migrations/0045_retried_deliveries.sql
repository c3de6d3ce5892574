-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_account_unsent" ON "webhook_deliveries" USING btree ("account_id","status","id") WHERE status in ('failed', 'dead-letter') and retried_as is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_account_retried" ON "webhook_deliveries" USING btree ("account_id","id") WHERE retried_as is not null;
