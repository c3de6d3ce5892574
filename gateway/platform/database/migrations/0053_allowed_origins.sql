ALTER TABLE "api_keys" ADD COLUMN "allowed_origins" text[];--> statement-breakpoint
CREATE INDEX "api_keys_origins" ON "api_keys" USING btree ("id") WHERE allowed_origins is not null;--> statement-breakpoint
CREATE FUNCTION "key_origins_added"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('credential_changed', NEW."id");
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "api_keys_origins_added" AFTER INSERT ON "api_keys" FOR EACH ROW WHEN (NEW."allowed_origins" IS NOT NULL) EXECUTE FUNCTION "key_origins_added"();--> statement-breakpoint
CREATE TRIGGER "api_keys_origins_changed" AFTER UPDATE OF "allowed_origins" ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();
