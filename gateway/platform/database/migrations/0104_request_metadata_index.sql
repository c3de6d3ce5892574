-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_with_metadata" ON "request_logs" USING btree ("account_id","id") WHERE metadata is not null;
