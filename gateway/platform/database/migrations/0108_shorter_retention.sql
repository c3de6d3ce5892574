ALTER TABLE "accounts" ADD COLUMN "retention_seconds" integer;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "retention_changed_at" timestamp with time zone;