CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "members" (
	"account_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"monthly_budget" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_account_id_user_id_pk" PRIMARY KEY("account_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_account_id_accounts_id_fk";
--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "account_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "password_hash" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "user_id" text;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "answered_by" text;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "created_by" text;
--> statement-breakpoint
ALTER TABLE "audit_logs" ADD COLUMN "user_id" text;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "method" text;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "user_agent" text;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_seen_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_seen_ip" text;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_verified_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_operator" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "key_id" text;
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "user_id" text;
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "invitations_account" ON "invitations" USING btree ("account_id","id");
--> statement-breakpoint
CREATE INDEX "invitations_expiry" ON "invitations" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "members_user" ON "members" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "password_resets_user" ON "password_resets" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "password_resets_expiry" ON "password_resets" USING btree ("expires_at");
--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
-- Every user of earlier releases owns their account.
INSERT INTO "members" ("account_id", "user_id", "role", "created_at") SELECT "account_id", "id", 'owner', "created_at" FROM "users";
--> statement-breakpoint
UPDATE "users" SET "is_operator" = true WHERE "id" = (SELECT min("id") FROM "users");
--> statement-breakpoint
-- Keys of earlier releases are service keys, for which the owner answers.
UPDATE "api_keys" k SET "answered_by" = (SELECT min(m."user_id") FROM "members" m WHERE m."account_id" = k."account_id");
--> statement-breakpoint
-- The previous release knows no members and nobody who answers for a key. Dropped with the column users.account_id.
CREATE FUNCTION "owner_of_previous_release"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "members" ("account_id", "user_id", "role") VALUES (NEW."account_id", NEW."id", 'owner') ON CONFLICT DO NOTHING;
	UPDATE "users" SET "is_operator" = true WHERE "id" = NEW."id" AND NOT EXISTS (SELECT FROM "users" WHERE "id" <> NEW."id");
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "users_added" AFTER INSERT ON "users" FOR EACH ROW WHEN (NEW."account_id" IS NOT NULL) EXECUTE FUNCTION "owner_of_previous_release"();
--> statement-breakpoint
CREATE FUNCTION "key_of_previous_release"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."answered_by" := (SELECT min("user_id") FROM "members" WHERE "account_id" = NEW."account_id" AND "role" = 'owner');
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "api_keys_added" BEFORE INSERT ON "api_keys" FOR EACH ROW WHEN (NEW."user_id" IS NULL AND NEW."answered_by" IS NULL) EXECUTE FUNCTION "key_of_previous_release"();
--> statement-breakpoint
-- Every process hears of changes to members as of changes to their credentials. When a session was last seen is none.
CREATE FUNCTION "member_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('credential_changed', coalesce(NEW."user_id", OLD."user_id"));
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "members_changed" AFTER INSERT OR DELETE OR UPDATE ON "members" FOR EACH ROW EXECUTE FUNCTION "member_changed"();
--> statement-breakpoint
CREATE TRIGGER "users_changed" AFTER DELETE OR UPDATE OF "name", "is_operator" ON "users" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();
--> statement-breakpoint
DROP TRIGGER "sessions_changed" ON "sessions";
--> statement-breakpoint
CREATE TRIGGER "sessions_changed" AFTER DELETE OR UPDATE OF "user_id", "token_hash", "key_hash", "expires_at", "revoked_at" ON "sessions" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();
--> statement-breakpoint
DROP TRIGGER "api_keys_changed" ON "api_keys";
--> statement-breakpoint
CREATE TRIGGER "api_keys_changed" AFTER DELETE OR UPDATE OF "secret_hash", "previous_secret_hash", "previous_expires_at", "scopes", "models", "regions", "requests_per_minute", "max_concurrency", "monthly_budget", "user_id", "answered_by", "expires_at", "revoked_at" ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();
