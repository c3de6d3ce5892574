CREATE TABLE "outputs" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"run_id" text NOT NULL,
	"position" smallint NOT NULL,
	"model" text NOT NULL,
	"sha256" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"key" text,
	"manifest" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outputs_run" UNIQUE("run_id","position")
);
--> statement-breakpoint
ALTER TABLE "outputs" ADD CONSTRAINT "outputs_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outputs_model" ON "outputs" USING btree ("account_id","model","id");--> statement-breakpoint
CREATE INDEX "outputs_sha256" ON "outputs" USING btree ("account_id","sha256");