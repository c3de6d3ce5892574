-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_keys_user" ON "api_keys" USING btree ("account_id","user_id","id") WHERE user_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_logs_user" ON "audit_logs" USING btree ("account_id",coalesce(user_id, actor_id),"id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_logs_actor" ON "audit_logs" USING btree ("account_id","actor_id","id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sessions_user" ON "sessions" USING btree ("user_id") WHERE user_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "predictions_user" ON "predictions" USING btree ("account_id","user_id","id") WHERE user_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "predictions_key" ON "predictions" USING btree ("account_id","key_id","id") WHERE key_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "predictions_reserved_user" ON "predictions" USING btree ("user_id") WHERE reserved_quantity is not null and status in ('starting', 'processing');
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "uploads_user" ON "uploads" USING btree ("account_id","user_id","id") WHERE user_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "uploads_key" ON "uploads" USING btree ("account_id","key_id","id") WHERE key_id is not null;
