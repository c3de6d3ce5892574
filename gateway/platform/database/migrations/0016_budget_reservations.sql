CREATE TABLE "budget_reservations" (
	"run_id" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"unit" text NOT NULL,
	"quantity" numeric NOT NULL,
	"month" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "reserved_unit" text;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "reserved_quantity" numeric;--> statement-breakpoint
CREATE INDEX "budget_reservations_key" ON "budget_reservations" USING btree ("key_id");