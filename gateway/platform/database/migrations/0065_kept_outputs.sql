CREATE TABLE "kept_outputs" (
	"output_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"model" text NOT NULL,
	"key" text NOT NULL,
	"api_type" text,
	"svc_region" text,
	"input" jsonb,
	"media" jsonb NOT NULL,
	"stored_bytes" bigint NOT NULL,
	"prompt" text,
	"words" text[] NOT NULL,
	"labels" text[] NOT NULL,
	"key_id" text,
	"user_id" text,
	"kept_at" timestamp with time zone DEFAULT now() NOT NULL,
	"kept_until" timestamp with time zone,
	"goes_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "kept_outputs" ADD CONSTRAINT "kept_outputs_output_id_outputs_id_fk" FOREIGN KEY ("output_id") REFERENCES "public"."outputs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kept_outputs" ADD CONSTRAINT "kept_outputs_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kept_outputs_account" ON "kept_outputs" USING btree ("account_id","output_id");--> statement-breakpoint
CREATE INDEX "kept_outputs_model" ON "kept_outputs" USING btree ("account_id","model","output_id");--> statement-breakpoint
CREATE INDEX "kept_outputs_search" ON "kept_outputs" USING gin ((array[account_id]),array_to_tsvector(words),"labels");--> statement-breakpoint
CREATE INDEX "kept_outputs_due" ON "kept_outputs" USING btree (least(kept_until, goes_at)) WHERE least(kept_until, goes_at) is not null;--> statement-breakpoint
-- Kept outputs count in their account's storage, the accounts of a statement in order.
CREATE FUNCTION "kept_storage_follow"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	account text;
	change bigint;
BEGIN
	IF TG_OP = 'INSERT' THEN
		FOR account, change IN SELECT "account_id", sum("stored_bytes") FROM added GROUP BY 1 ORDER BY 1
		LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	ELSE
		FOR account, change IN SELECT "account_id", -sum("stored_bytes") FROM removed GROUP BY 1 ORDER BY 1
		LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "kept_outputs_added" AFTER INSERT ON "kept_outputs" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "kept_storage_follow"();--> statement-breakpoint
CREATE TRIGGER "kept_outputs_removed" AFTER DELETE ON "kept_outputs" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "kept_storage_follow"();
