CREATE TABLE "installation" (
	"id" text PRIMARY KEY NOT NULL,
	"history_days" integer,
	"audit_days" integer
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk";
--> statement-breakpoint
-- What a release that kept everything has gathered stays until its operator sets a number.
INSERT INTO "installation" ("id", "history_days", "audit_days") SELECT 'installation', CASE WHEN EXISTS (SELECT FROM "accounts") THEN NULL ELSE 30 END, CASE WHEN EXISTS (SELECT FROM "accounts") THEN NULL ELSE 400 END;
