CREATE TABLE "gateway_processes" (
	"id" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "limit_rates" (
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"size" double precision NOT NULL,
	"period_ms" double precision NOT NULL,
	"tokens" double precision NOT NULL,
	"granted" double precision NOT NULL,
	"refilled_at" timestamp with time zone NOT NULL,
	CONSTRAINT "limit_rates_name_subject_pk" PRIMARY KEY("name","subject")
);
--> statement-breakpoint
CREATE TABLE "limit_slots" (
	"subject" text PRIMARY KEY NOT NULL,
	"places" integer NOT NULL,
	"wanted" integer NOT NULL,
	"running" integer NOT NULL,
	"held" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "count" integer;--> statement-breakpoint
ALTER TABLE "limit_rates" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
ALTER TABLE "limit_slots" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
