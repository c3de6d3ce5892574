CREATE TABLE "aliases" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"name" text NOT NULL,
	"models" text[] NOT NULL,
	"go_on_when" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_by_metadata" (
	"account_id" text NOT NULL,
	"day" text NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"model" text NOT NULL,
	"unit" text NOT NULL,
	"quantity" numeric DEFAULT 0 NOT NULL,
	"requests" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_by_metadata_account_id_day_key_value_model_unit_pk" PRIMARY KEY("account_id","day","key","value","model","unit")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "usage_keys" text[];--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "alias" text;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "alias" text;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "aliases" ADD CONSTRAINT "aliases_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_by_metadata" ADD CONSTRAINT "usage_by_metadata_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "aliases_account" ON "aliases" USING btree ("account_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "aliases_name" ON "aliases" USING btree (coalesce(account_id, ''),"name");
