ALTER TABLE "reports" ADD COLUMN "removed_files" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "operator_status" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "operator_decided_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "operator_removed_files" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "reports_removing" ON "reports" USING btree ("sha256") WHERE status = 'removing' or operator_status = 'removing';