CREATE TABLE "batch_rows" (
	"batch_id" text NOT NULL,
	"row" integer NOT NULL,
	"line" integer,
	"model" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"input" jsonb,
	"run_id" text,
	"prediction_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp with time zone DEFAULT now() NOT NULL,
	"dispatched_at" timestamp with time zone,
	"lease_owner" text,
	"lease_expires_at" timestamp with time zone,
	"output" jsonb,
	"files" jsonb,
	"error" jsonb,
	"usage_unit" text,
	"usage_quantity" double precision,
	"svc_region" text,
	"sandbox" boolean DEFAULT false NOT NULL,
	"started_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"data_removed_at" timestamp with time zone,
	CONSTRAINT "batch_rows_batch_id_row_pk" PRIMARY KEY("batch_id","row")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text,
	"user_id" text,
	"runs_as_key_id" text,
	"runs_as_user_id" text,
	"request_id" text,
	"name" text,
	"model" text NOT NULL,
	"api_type" text NOT NULL,
	"billing_unit" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"reason" jsonb,
	"concurrency" integer NOT NULL,
	"columns" jsonb NOT NULL,
	"ignored" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"estimated_quantity" double precision,
	"round" integer DEFAULT 1 NOT NULL,
	"claimed_at" timestamp with time zone,
	"waits_until" timestamp with time zone,
	"deadline_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"data_removed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batch_rows_status" ON "batch_rows" USING btree ("batch_id","status","row");--> statement-breakpoint
CREATE INDEX "batch_rows_leased" ON "batch_rows" USING btree ("lease_expires_at") WHERE status = 'running' and prediction_id is null;--> statement-breakpoint
CREATE INDEX "batch_rows_prediction" ON "batch_rows" USING btree ("prediction_id") WHERE status = 'running' and prediction_id is not null;--> statement-breakpoint
CREATE INDEX "batch_rows_expiry" ON "batch_rows" USING btree ("expires_at") WHERE expires_at is not null and data_removed_at is null;--> statement-breakpoint
CREATE INDEX "batches_account" ON "batches" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "batches_request" ON "batches" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "batches_open" ON "batches" USING btree ("account_id") WHERE status not in ('finished', 'stopped');--> statement-breakpoint
CREATE INDEX "batches_expiry" ON "batches" USING btree ("expires_at") WHERE expires_at is not null and data_removed_at is null;