-- A delivery is leased, then finished, soon after it was written: room on its page keeps the lease out of the indexes.
ALTER TABLE "webhook_deliveries" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
