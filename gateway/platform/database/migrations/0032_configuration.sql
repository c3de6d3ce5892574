CREATE TABLE "configuration" (
	"id" text PRIMARY KEY NOT NULL,
	"revision" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_connections" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"protocol" text NOT NULL,
	"preset" text,
	"base_url" text,
	"base_urls" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"credentials" jsonb NOT NULL,
	"allow_private" boolean DEFAULT false NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"leaving_at" timestamp with time zone,
	"gone_at" timestamp with time zone,
	"former_credentials" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "provider_connections_name" ON "provider_connections" USING btree (lower("name")) WHERE gone_at is null;
--> statement-breakpoint
INSERT INTO "configuration" ("id") VALUES ('configuration');
