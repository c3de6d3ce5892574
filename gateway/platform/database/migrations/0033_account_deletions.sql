CREATE TABLE "account_deletions" (
	"account_id" text PRIMARY KEY NOT NULL,
	"requested_by" text,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"contents" jsonb,
	"erased_rows" bigint DEFAULT 0 NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"cursor" text,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk";
--> statement-breakpoint
ALTER TABLE "webhook_events" DROP CONSTRAINT "webhook_events_account_id_accounts_id_fk";
