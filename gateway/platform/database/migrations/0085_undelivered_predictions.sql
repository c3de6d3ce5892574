-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_undelivered" ON "webhook_deliveries" USING btree ("account_id","prediction_id","status") WHERE status in ('failed', 'dead-letter', 'waiting') and retried_as is null and prediction_id is not null;
