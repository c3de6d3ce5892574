-- gatehouse: no transaction
ALTER TABLE "request_logs" ADD COLUMN IF NOT EXISTS "user_id" text;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_user" ON "request_logs" USING btree ("account_id","user_id","id") WHERE user_id is not null;
