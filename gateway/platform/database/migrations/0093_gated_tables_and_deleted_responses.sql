ALTER TABLE "uploads" ADD COLUMN "gates" jsonb;--> statement-breakpoint
ALTER TABLE "responses" ADD COLUMN "deleted_at" timestamp with time zone;