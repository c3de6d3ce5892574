CREATE TABLE "copies" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"destination_id" text NOT NULL,
	"output_id" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"trigger" text NOT NULL,
	"user_id" text,
	"key_id" text,
	"tries" smallint DEFAULT 0 NOT NULL,
	"attempts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"started_at" timestamp with time zone,
	"lease_owner" text,
	"lease_expires_at" timestamp with time zone,
	"object_name" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"copied_at" timestamp with time zone,
	CONSTRAINT "copies_once" UNIQUE("destination_id","output_id")
);
--> statement-breakpoint
CREATE TABLE "destinations" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"endpoint_url" text NOT NULL,
	"region" text NOT NULL,
	"bucket" text NOT NULL,
	"prefix" text NOT NULL,
	"path_style" boolean NOT NULL,
	"access_key_id" text NOT NULL,
	"sealed_by" text NOT NULL,
	"ciphertext" text NOT NULL,
	"secret_hint" text NOT NULL,
	"automatic" text NOT NULL,
	"models" text[] NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"user_id" text,
	"key_id" text,
	"last_copied_at" timestamp with time zone,
	"last_error" jsonb,
	"last_error_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "copies" ADD CONSTRAINT "copies_destination_id_destinations_id_fk" FOREIGN KEY ("destination_id") REFERENCES "public"."destinations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "copies" ADD CONSTRAINT "copies_output_id_outputs_id_fk" FOREIGN KEY ("output_id") REFERENCES "public"."outputs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "copies_output" ON "copies" USING btree ("output_id");--> statement-breakpoint
CREATE INDEX "copies_kind" ON "copies" USING btree ("account_id","destination_id","status","id");--> statement-breakpoint
CREATE INDEX "copies_due" ON "copies" USING btree ("account_id","next_attempt_at") WHERE status in ('pending', 'copying') and next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "destinations_account" ON "destinations" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "destinations_automatic" ON "destinations" USING btree ("account_id") WHERE automatic <> 'off';