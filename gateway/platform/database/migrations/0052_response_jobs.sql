CREATE TABLE "response_jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text,
	"user_id" text,
	"body" json NOT NULL,
	"run_id" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deadline_at" timestamp with time zone NOT NULL,
	"dispatched_at" timestamp with time zone,
	"lease_owner" text,
	"lease_expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "response_jobs" ADD CONSTRAINT "response_jobs_id_responses_id_fk" FOREIGN KEY ("id") REFERENCES "public"."responses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "response_jobs_due" ON "response_jobs" USING btree ("next_check_at");--> statement-breakpoint
-- A response in the background holds more once it has been made.
CREATE FUNCTION "response_storage_follow"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "account_storage_add"(NEW."account_id", NEW."stored_bytes" - OLD."stored_bytes");
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "response_storage_changed" AFTER UPDATE OF "stored_bytes" ON "responses" FOR EACH ROW WHEN (OLD."stored_bytes" <> NEW."stored_bytes") EXECUTE FUNCTION "response_storage_follow"();
