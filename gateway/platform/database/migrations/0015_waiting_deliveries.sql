-- gatehouse: no transaction
ALTER TABLE "webhook_events" ADD COLUMN IF NOT EXISTS "once_key" text;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "webhook_events_once" ON "webhook_events" USING btree ("once_key") WHERE once_key is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("endpoint_id") WHERE status = 'waiting';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "webhook_events_prediction";
