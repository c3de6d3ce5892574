CREATE TABLE "callbacks" (
	"subject_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"url" text NOT NULL,
	"shape" text NOT NULL,
	"events" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "callback_hosts" text[];--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "callback_host" text;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "receiver" text;--> statement-breakpoint
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "callbacks_endpoint" ON "callbacks" USING btree ("endpoint_id");--> statement-breakpoint
CREATE INDEX "callbacks_created" ON "callbacks" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_callback" ON "webhook_endpoints" USING btree ("account_id","callback_host") WHERE callback_host is not null;