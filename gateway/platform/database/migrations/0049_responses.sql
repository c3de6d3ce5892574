CREATE TABLE "responses" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text,
	"user_id" text,
	"previous_id" text,
	"input" json NOT NULL,
	"response" json NOT NULL,
	"stored_bytes" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "responses" ADD CONSTRAINT "responses_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "responses_account" ON "responses" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "responses_expiry" ON "responses" USING btree ("expires_at");--> statement-breakpoint
-- What a response holds counts as its account's storage, as what predictions hold.
CREATE TRIGGER "response_storage_added" AFTER INSERT ON "responses" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "prediction_storage_sum"();--> statement-breakpoint
CREATE TRIGGER "response_storage_removed" AFTER DELETE ON "responses" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "prediction_storage_sum"();
