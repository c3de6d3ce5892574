-- gatehouse: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "predictions_due_account" ON "predictions" USING btree ("account_id","next_check_at") WHERE status in ('starting', 'processing');
