ALTER TABLE "api_keys" ADD COLUMN "monthly_budget" jsonb;--> statement-breakpoint
CREATE INDEX "usage_daily_key" ON "usage_daily" USING btree ("key_id","day");