CREATE TABLE "webhook_endpoint_hours" (
	"endpoint_id" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"deliveries" integer DEFAULT 0 NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "webhook_endpoint_hours_endpoint_id_hour_pk" PRIMARY KEY("endpoint_id","hour")
);
--> statement-breakpoint
DROP INDEX "webhook_attempts_endpoint";--> statement-breakpoint
DROP INDEX "webhook_deliveries_account_code";--> statement-breakpoint
DROP INDEX "webhook_deliveries_due";--> statement-breakpoint
ALTER TABLE "webhook_endpoint_hours" ADD CONSTRAINT "webhook_endpoint_hours_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "predictions_request" ON "predictions" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_account_class" ON "webhook_deliveries" USING btree ("account_id",("last_status_code" / 100),"id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_active_retry" ON "webhook_deliveries" USING btree ("event_id","endpoint_id") WHERE trigger in ('manual', 'bulk') and status in ('pending', 'failed') and retried_as is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at") WHERE status in ('pending', 'failed') and next_attempt_at is not null;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
