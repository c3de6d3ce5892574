ALTER TABLE "batch_rows" ADD COLUMN "custom_id" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "open_ai" jsonb;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "purpose" text;