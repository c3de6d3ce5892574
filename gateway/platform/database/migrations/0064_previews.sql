CREATE TABLE "previews" (
	"key" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"state" text NOT NULL,
	"preview_key" text,
	"size_bytes" bigint DEFAULT 0 NOT NULL,
	"claimed_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "previews" ADD CONSTRAINT "previews_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "previews_claimed" ON "previews" USING btree ("claimed_until") WHERE claimed_until is not null;--> statement-breakpoint
-- A row has no bytes when it is inserted: they count from when its preview is made until the row goes.
CREATE FUNCTION "preview_storage_follow"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "account_storage_add"(NEW."account_id", NEW."size_bytes" - OLD."size_bytes");
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "preview_storage_sum"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	account text;
	change bigint;
BEGIN
	FOR account, change IN SELECT "account_id", -sum("size_bytes") FROM removed WHERE "size_bytes" > 0 GROUP BY 1 ORDER BY 1
	LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "preview_storage_changed" AFTER UPDATE OF "size_bytes" ON "previews" FOR EACH ROW WHEN (NEW."size_bytes" <> OLD."size_bytes") EXECUTE FUNCTION "preview_storage_follow"();--> statement-breakpoint
CREATE TRIGGER "preview_storage_removed" AFTER DELETE ON "previews" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "preview_storage_sum"();
