-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_contents" ON "request_logs" USING btree ("account_id","id") WHERE contents = 'kept';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_client_id" ON "request_logs" USING btree ("account_id","client_request_id","id") WHERE client_request_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_conversation" ON "request_logs" USING btree ("account_id","conversation","id") WHERE conversation is not null;
