DROP INDEX "uploads_object_expiry";--> statement-breakpoint
CREATE INDEX "uploads_object_expiry" ON "uploads" USING btree ("object_expires_at") WHERE status in ('uploaded', 'verified');