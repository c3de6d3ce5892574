ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk";
--> statement-breakpoint
DROP INDEX "webhook_attempts_delivery";--> statement-breakpoint
DROP INDEX "webhook_deliveries_account_error";--> statement-breakpoint
DROP INDEX "webhook_deliveries_prediction";--> statement-breakpoint
ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_pkey";--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_id_pk" PRIMARY KEY("delivery_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_account_error" ON "webhook_deliveries" USING btree ("account_id","last_error","id") WHERE last_error is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_prediction" ON "webhook_deliveries" USING btree ("prediction_id") WHERE prediction_id is not null;