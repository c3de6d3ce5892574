-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_kind" ON "request_logs" USING btree ("account_id",status,route,coalesce(model, ''),(key_id is null),(method <> 'GET' or (key_id is not null and from_session is not true)),"id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_key" ON "request_logs" USING btree ("account_id","key_id","id") WHERE key_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_code" ON "request_logs" USING btree ("account_id","code","id") WHERE code is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "predictions_kind" ON "predictions" USING btree ("account_id","status","model","api_type","svc_region","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "uploads_kind" ON "uploads" USING btree ("account_id","status",split_part(content_type, '/', 1),"id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_logs_action" ON "audit_logs" USING btree ("account_id","action","id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "request_logs_account_calls";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "request_logs_at";
