-- gatehouse: no transaction
ALTER TABLE "request_logs" ADD COLUMN IF NOT EXISTS "failure" jsonb;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_failed_model" ON "request_logs" USING btree ("account_id",(failure ->> 'model'),"id") WHERE (failure ->> 'model') is not null;