CREATE TABLE "key_rules" (
	"key_id" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"audience" text,
	"claims" jsonb NOT NULL,
	"single_use" boolean NOT NULL,
	"lifetime_seconds" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "short_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text NOT NULL,
	"secret_hash" text NOT NULL,
	"subject" text NOT NULL,
	"scopes" text[] NOT NULL,
	"token_hash" text,
	"token_used_at" timestamp with time zone,
	"ip" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "key_rules" ADD CONSTRAINT "key_rules_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "short_keys" ADD CONSTRAINT "short_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "short_keys" ADD CONSTRAINT "short_keys_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "short_keys_secret" ON "short_keys" USING btree ("secret_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "short_keys_token" ON "short_keys" USING btree ("key_id","token_hash") WHERE token_hash is not null;--> statement-breakpoint
CREATE INDEX "short_keys_rule" ON "short_keys" USING btree ("key_id","id");--> statement-breakpoint
CREATE INDEX "short_keys_account" ON "short_keys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "short_keys_expiry" ON "short_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE TRIGGER "short_keys_changed" AFTER DELETE OR UPDATE OF "ended_at" ON "short_keys" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();
