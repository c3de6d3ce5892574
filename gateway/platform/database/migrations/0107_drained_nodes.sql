CREATE TABLE "drained_nodes" (
	"id" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"reason" text,
	"by" jsonb
);
--> statement-breakpoint
ALTER TABLE "gateway_processes" ADD COLUMN "running" integer;