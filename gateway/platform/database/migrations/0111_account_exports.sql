CREATE TABLE "account_exports" (
	"account_id" text PRIMARY KEY NOT NULL,
	"begun_by" text,
	"begun_at" timestamp with time zone,
	"parts" jsonb,
	"sent" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"operator_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "account_exports" ADD CONSTRAINT "account_exports_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;