CREATE TABLE "webhook_resends" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"include" text NOT NULL,
	"types" text[],
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"rate_per_second" integer,
	"status" text DEFAULT 'running' NOT NULL,
	"total" integer NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"gone" integer DEFAULT 0 NOT NULL,
	"after_id" text NOT NULL,
	"stepped_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "headers" jsonb;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "rate_per_second" integer;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "models" text[];--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "key_ids" text[];--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "failing_told_at" timestamp with time zone;--> statement-breakpoint
-- A constant first: with the function as its default each row of before would be written anew.
ALTER TABLE "webhook_events" ADD COLUMN "tx" xid8 DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_events" ALTER COLUMN "tx" SET DEFAULT pg_current_xact_id();--> statement-breakpoint
ALTER TABLE "webhook_resends" ADD CONSTRAINT "webhook_resends_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_resends_account" ON "webhook_resends" USING btree ("account_id","endpoint_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_resends_running" ON "webhook_resends" USING btree ("endpoint_id") WHERE status = 'running';