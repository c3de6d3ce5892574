CREATE TABLE "account_storage" (
	"account_id" text PRIMARY KEY NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "made_by" text;--> statement-breakpoint
ALTER TABLE "account_storage" ADD CONSTRAINT "account_storage_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_made_by" ON "api_keys" USING btree ("made_by") WHERE made_by is not null;--> statement-breakpoint
-- Who made a key is known from the audit log.
UPDATE "api_keys" k SET "made_by" = a."actor_id" FROM "audit_logs" a WHERE a."account_id" = k."account_id" AND a."action" = 'key.created' AND a."actor_type" = 'key' AND a."target_id" = k."id";--> statement-breakpoint
-- Every process hears when a credential changes, whoever changes it. What a key uses does not count as a change.
CREATE FUNCTION "credential_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('credential_changed', OLD."id");
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "api_keys_changed" AFTER DELETE OR UPDATE OF "secret_hash", "previous_secret_hash", "previous_expires_at", "scopes", "models", "regions", "requests_per_minute", "max_concurrency", "monthly_budget", "expires_at", "revoked_at" ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();--> statement-breakpoint
CREATE TRIGGER "sessions_changed" AFTER DELETE OR UPDATE ON "sessions" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();--> statement-breakpoint
-- Uploads that are announced hold their size, once for each transfer under way; received ones until their bytes are removed.
CREATE FUNCTION "upload_held_bytes"("status" text, "size_bytes" bigint, "storage_key" text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE
		WHEN "status" = 'pending' THEN "size_bytes" * greatest(1, coalesce(cardinality(string_to_array("storage_key", ' ')), 0))
		WHEN "status" IN ('uploaded', 'verified') THEN "size_bytes"
		ELSE 0
	END
$$;--> statement-breakpoint
CREATE FUNCTION "account_storage_add"("account" text, "change" bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "account_storage" SET "bytes" = "bytes" + "change" WHERE "account_id" = "account";
	-- Without a row nothing is held: what is removed then belongs to an account that is being deleted.
	IF NOT FOUND AND "change" > 0 THEN
		INSERT INTO "account_storage" ("account_id", "bytes") VALUES ("account", "change")
		ON CONFLICT ("account_id") DO UPDATE SET "bytes" = "account_storage"."bytes" + excluded."bytes";
	END IF;
END $$;--> statement-breakpoint
-- Accounts in order: two statements that change the same ones wait for each other, never both.
CREATE FUNCTION "account_storage_follow"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	account text;
	change bigint;
BEGIN
	IF TG_OP = 'INSERT' THEN
		FOR account, change IN SELECT "account_id", sum("upload_held_bytes"("status", "size_bytes", "storage_key")) FROM added GROUP BY 1 ORDER BY 1
		LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	ELSIF TG_OP = 'DELETE' THEN
		FOR account, change IN SELECT "account_id", -sum("upload_held_bytes"("status", "size_bytes", "storage_key")) FROM removed GROUP BY 1 ORDER BY 1
		LOOP PERFORM "account_storage_add"(account, change); END LOOP;
	ELSE
		FOR account, change IN
			SELECT n."account_id", sum("upload_held_bytes"(n."status", n."size_bytes", n."storage_key") - "upload_held_bytes"(o."status", o."size_bytes", o."storage_key")) AS "bytes"
			FROM added n JOIN removed o ON o."id" = n."id" GROUP BY 1 ORDER BY 1
		LOOP
			IF change <> 0 THEN PERFORM "account_storage_add"(account, change); END IF;
		END LOOP;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "uploads_added" AFTER INSERT ON "uploads" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "account_storage_follow"();--> statement-breakpoint
CREATE TRIGGER "uploads_changed" AFTER UPDATE ON "uploads" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "account_storage_follow"();--> statement-breakpoint
CREATE TRIGGER "uploads_removed" AFTER DELETE ON "uploads" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "account_storage_follow"();--> statement-breakpoint
-- The triggers hold back other writers until this migration ends, so none is missed or counted twice.
INSERT INTO "account_storage" ("account_id", "bytes") SELECT "account_id", sum("upload_held_bytes"("status", "size_bytes", "storage_key")) FROM "uploads" GROUP BY "account_id";
