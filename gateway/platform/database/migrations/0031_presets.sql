CREATE TABLE "presets" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text,
	"user_id" text,
	"name" text NOT NULL,
	"model" text NOT NULL,
	"api_type" text NOT NULL,
	"input" jsonb NOT NULL,
	"schema_version" integer NOT NULL,
	"media" jsonb NOT NULL,
	"media_expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "presets" ADD CONSTRAINT "presets_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "presets_account" ON "presets" USING btree ("account_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "presets_name" ON "presets" USING btree ("account_id","model","api_type",lower(name));--> statement-breakpoint
CREATE INDEX "presets_media" ON "presets" USING btree ("media_expires_at") WHERE media_expires_at is not null;