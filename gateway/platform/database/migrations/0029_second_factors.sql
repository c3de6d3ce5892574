CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"uses" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"is_synced" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" text NOT NULL,
	"code_hash" text NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "tickets" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" text,
	"challenge" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "totp_secrets" (
	"user_id" text NOT NULL,
	"is_confirmed" boolean NOT NULL,
	"key_id" text NOT NULL,
	"ciphertext" text NOT NULL,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "totp_secrets_user_id_is_confirmed_pk" PRIMARY KEY("user_id","is_confirmed")
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "second_factor_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tickets_expiry" ON "tickets" USING btree ("expires_at");
--> statement-breakpoint
-- Whether somebody has a second factor decides whether accounts that require one let them in.
CREATE TRIGGER "passkeys_changed" AFTER INSERT OR DELETE ON "passkeys" FOR EACH ROW EXECUTE FUNCTION "member_changed"();
--> statement-breakpoint
CREATE TRIGGER "totp_secrets_changed" AFTER INSERT OR DELETE OR UPDATE OF "is_confirmed" ON "totp_secrets" FOR EACH ROW EXECUTE FUNCTION "member_changed"();
--> statement-breakpoint
CREATE FUNCTION "sign_in_rules_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- No id: all credentials are read anew.
	PERFORM pg_notify('credential_changed', '');
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "accounts_rules_changed" AFTER UPDATE OF "second_factor_from" ON "accounts" FOR EACH ROW WHEN (OLD."second_factor_from" IS DISTINCT FROM NEW."second_factor_from") EXECUTE FUNCTION "sign_in_rules_changed"();
