ALTER TABLE "batches" ADD COLUMN "trace_parent" text;--> statement-breakpoint
ALTER TABLE "response_jobs" ADD COLUMN "trace_parent" text;
