-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_events_feed" ON "webhook_events" USING btree ("account_id","tx","id");
