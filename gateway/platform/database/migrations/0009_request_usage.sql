ALTER TABLE "request_logs" ADD COLUMN "usage_unit" text;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "usage_quantity" double precision;