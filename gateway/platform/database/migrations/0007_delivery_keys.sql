CREATE TABLE "webhook_delivery_keys" (
	"id" text NOT NULL,
	"account_id" text NOT NULL,
	"event_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"event_type" text NOT NULL,
	"prediction_id" text,
	"trigger" text NOT NULL,
	CONSTRAINT "webhook_delivery_keys_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
-- Another process may still write with the release before: none of its deliveries may slip in between copy and triggers.
LOCK TABLE "webhook_deliveries" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
INSERT INTO "webhook_delivery_keys" ("id", "account_id", "event_id", "endpoint_id", "event_type", "prediction_id", "trigger") SELECT "id", "account_id", "event_id", "endpoint_id", "event_type", "prediction_id", "trigger" FROM "webhook_deliveries";--> statement-breakpoint
DROP INDEX "webhook_deliveries_event";--> statement-breakpoint
DROP INDEX "webhook_deliveries_account";--> statement-breakpoint
DROP INDEX "webhook_deliveries_account_endpoint";--> statement-breakpoint
DROP INDEX "webhook_deliveries_account_type";--> statement-breakpoint
DROP INDEX "webhook_deliveries_prediction";--> statement-breakpoint
CREATE INDEX "webhook_delivery_keys_endpoint" ON "webhook_delivery_keys" USING btree ("account_id","endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_keys_type" ON "webhook_delivery_keys" USING btree ("account_id","event_type","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_keys_prediction" ON "webhook_delivery_keys" USING btree ("prediction_id") WHERE prediction_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_delivery_keys_event" ON "webhook_delivery_keys" USING btree ("event_id","endpoint_id",(case when "trigger" = 'automatic' then '' else "id" end));--> statement-breakpoint
-- Like an index, the keys follow their rows by themselves. What they hold of a delivery never changes.
CREATE FUNCTION "webhook_delivery_keys_add"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "webhook_delivery_keys" ("id", "account_id", "event_id", "endpoint_id", "event_type", "prediction_id", "trigger")
	SELECT "id", "account_id", "event_id", "endpoint_id", "event_type", "prediction_id", "trigger" FROM added;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "webhook_delivery_keys_remove"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "webhook_delivery_keys" k USING removed r WHERE k."account_id" = r."account_id" AND k."id" = r."id";
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "webhook_deliveries_added" AFTER INSERT ON "webhook_deliveries" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "webhook_delivery_keys_add"();--> statement-breakpoint
CREATE TRIGGER "webhook_deliveries_removed" AFTER DELETE ON "webhook_deliveries" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "webhook_delivery_keys_remove"();--> statement-breakpoint
-- Statistics of what no search weighs only cost: deliveries are analyzed as often as a fiftieth of them changed.
ALTER TABLE "webhook_delivery_keys" ALTER COLUMN "trigger" SET STATISTICS 0, ALTER COLUMN "id" SET STATISTICS 10, ALTER COLUMN "event_id" SET STATISTICS 10, ALTER COLUMN "prediction_id" SET STATISTICS 10;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ALTER COLUMN "event_type" SET STATISTICS 0, ALTER COLUMN "prediction_id" SET STATISTICS 0, ALTER COLUMN "url" SET STATISTICS 0, ALTER COLUMN "attempts" SET STATISTICS 0, ALTER COLUMN "interruptions" SET STATISTICS 0, ALTER COLUMN "lease_owner" SET STATISTICS 0, ALTER COLUMN "lease_expires_at" SET STATISTICS 0, ALTER COLUMN "retry_of" SET STATISTICS 0, ALTER COLUMN "created_at" SET STATISTICS 0, ALTER COLUMN "delivered_at" SET STATISTICS 0, ALTER COLUMN "id" SET STATISTICS 10, ALTER COLUMN "event_id" SET STATISTICS 10;
