CREATE TABLE "prompt_cache_days" (
	"account_id" text NOT NULL,
	"day" text NOT NULL,
	"model" text NOT NULL,
	"provider" text NOT NULL,
	"upstream_key" text NOT NULL,
	"key_id" text NOT NULL,
	"input_tokens" numeric NOT NULL,
	"cached_tokens" numeric NOT NULL,
	"runs" integer NOT NULL,
	"cost_not_priced" integer NOT NULL,
	"charge_not_priced" integer NOT NULL,
	"saved_cost" numeric,
	"saved_charge" numeric,
	CONSTRAINT "prompt_cache_days_key" PRIMARY KEY("account_id","day","model","provider","upstream_key","key_id")
);
--> statement-breakpoint
ALTER TABLE "usage_lines" ADD COLUMN "upstream_key" text;--> statement-breakpoint
ALTER TABLE "usage_lines" ADD COLUMN "saved_cost" numeric;--> statement-breakpoint
ALTER TABLE "usage_lines" ADD COLUMN "saved_charge" numeric;--> statement-breakpoint
ALTER TABLE "prompt_cache_days" ADD CONSTRAINT "prompt_cache_days_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "prompt_cache_days_day" ON "prompt_cache_days" USING btree ("day");