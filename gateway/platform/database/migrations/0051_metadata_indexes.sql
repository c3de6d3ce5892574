-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "predictions_metadata" ON "predictions" USING gin (metadata jsonb_path_ops) WHERE metadata is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_logs_metadata" ON "request_logs" USING gin (metadata jsonb_path_ops) WHERE metadata is not null;
