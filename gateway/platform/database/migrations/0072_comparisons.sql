ALTER TABLE "batch_rows" ADD COLUMN "api_type" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "kind" text DEFAULT 'table' NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "picked_row" integer;