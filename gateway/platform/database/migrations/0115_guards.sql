CREATE TABLE "guards" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"url" text NOT NULL,
	"stages" text[] NOT NULL,
	"on_error" text NOT NULL,
	"operations" text[],
	"models" text[],
	"key_ids" text[],
	"except_key_ids" text[] DEFAULT '{}' NOT NULL,
	"answered_by" text,
	"allow_private" boolean DEFAULT false NOT NULL,
	"secrets" jsonb NOT NULL,
	"failing_since" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "guards" jsonb;--> statement-breakpoint
ALTER TABLE "guards" ADD CONSTRAINT "guards_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "guards_owner" ON "guards" USING btree (coalesce("account_id", ''));