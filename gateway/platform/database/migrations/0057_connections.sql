CREATE TABLE "authorization_clients" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"connected_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"key_id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"client_name" text NOT NULL,
	"client_verified" boolean NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_hash" text NOT NULL,
	"code_challenge" text NOT NULL,
	"code_expires_at" timestamp with time zone NOT NULL,
	"code_used_at" timestamp with time zone,
	"refresh_family_hash" text,
	"refresh_hash" text,
	"refresh_expires_at" timestamp with time zone,
	"ended_because" text
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "secret_expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "bound_to" text;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "authorization_clients_expiry" ON "authorization_clients" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "authorization_clients_unused" ON "authorization_clients" USING btree ("created_at") WHERE connected_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_code" ON "connections" USING btree ("code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_refresh_family" ON "connections" USING btree ("refresh_family_hash");--> statement-breakpoint
CREATE INDEX "connections_unused" ON "connections" USING btree ("code_expires_at") WHERE code_used_at is null;