CREATE TABLE "markups" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"percent" numeric NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prices" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"model" text NOT NULL,
	"api_type" text NOT NULL,
	"provider" text,
	"region" text,
	"components" jsonb,
	"source" text NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_sums" (
	"account_id" text NOT NULL,
	"day" text NOT NULL,
	"model" text NOT NULL,
	"provider" text NOT NULL,
	"region" text NOT NULL,
	"kind" text NOT NULL,
	"unit" text NOT NULL,
	"price_id" text NOT NULL,
	"selling_id" text NOT NULL,
	"batch_id" text NOT NULL,
	"key_id" text NOT NULL,
	"quantity" numeric NOT NULL,
	"runs" integer NOT NULL,
	"cost" numeric,
	"charge" numeric,
	CONSTRAINT "usage_sums_key" PRIMARY KEY("account_id","day","model","kind","provider","region","key_id","price_id","selling_id","batch_id")
);
--> statement-breakpoint
ALTER TABLE "batch_rows" ADD COLUMN "charge" numeric;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD COLUMN "charge_reason" text;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "charge" numeric;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "charge_reason" text;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "batch_id" text;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "run_id" text;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "charge" numeric;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "charge_reason" text;--> statement-breakpoint
ALTER TABLE "usage_by_metadata" ADD COLUMN "cost" numeric;--> statement-breakpoint
ALTER TABLE "usage_by_metadata" ADD COLUMN "charge" numeric;--> statement-breakpoint
ALTER TABLE "usage_lines" ADD COLUMN "batch_id" text;--> statement-breakpoint
ALTER TABLE "usage_lines" ADD COLUMN "price_id" text;--> statement-breakpoint
ALTER TABLE "usage_lines" ADD COLUMN "component" smallint;--> statement-breakpoint
ALTER TABLE "usage_lines" ADD COLUMN "cost" numeric;--> statement-breakpoint
ALTER TABLE "usage_lines" ADD COLUMN "selling_id" text;--> statement-breakpoint
ALTER TABLE "usage_lines" ADD COLUMN "selling_component" smallint;--> statement-breakpoint
ALTER TABLE "usage_lines" ADD COLUMN "charge" numeric;--> statement-breakpoint
ALTER TABLE "markups" ADD CONSTRAINT "markups_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prices" ADD CONSTRAINT "prices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_sums" ADD CONSTRAINT "usage_sums_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "markups_account" ON "markups" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "prices_scope" ON "prices" USING btree ("model","api_type","effective_at");--> statement-breakpoint
CREATE INDEX "prices_account" ON "prices" USING btree ("account_id") WHERE account_id is not null;--> statement-breakpoint
CREATE INDEX "usage_sums_day" ON "usage_sums" USING btree ("day");--> statement-breakpoint
CREATE INDEX "usage_sums_batch" ON "usage_sums" USING btree ("batch_id") WHERE batch_id <> '';--> statement-breakpoint
-- The sums of before prices: their unit is their kind, who ran them and where is not known.
INSERT INTO "usage_sums" ("account_id", "day", "model", "provider", "region", "kind", "unit", "price_id", "selling_id", "batch_id", "key_id", "quantity", "runs")
SELECT "account_id", "day", "model", '', '', "unit", "unit", '', '', '', "key_id", "quantity", "requests" FROM "usage_daily";
