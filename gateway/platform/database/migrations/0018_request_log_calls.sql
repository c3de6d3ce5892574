-- gatehouse: no transaction
ALTER TABLE "request_logs" ADD COLUMN IF NOT EXISTS "from_session" boolean;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_account_calls" ON "request_logs" USING btree ("account_id","id") WHERE (method <> 'GET' or (key_id is not null and from_session is not true));
