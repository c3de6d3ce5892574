-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_failed" ON "request_logs" USING btree ("account_id",(status / 100),"id") WHERE status >= 400;
