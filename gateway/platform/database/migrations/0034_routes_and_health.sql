CREATE TABLE "routes" (
	"id" text PRIMARY KEY NOT NULL,
	"position" integer NOT NULL,
	"entry" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upstream_health" (
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"region" text NOT NULL,
	"last_success_at" timestamp with time zone,
	"last_failure_at" timestamp with time zone,
	"failure_code" text,
	"failure_message" text,
	"open_until" timestamp with time zone,
	"rate_limit" jsonb,
	CONSTRAINT "upstream_health_provider_model_region_pk" PRIMARY KEY("provider","model","region")
);
--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "provider" text;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "provider" text;