CREATE TABLE "receipt_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"sealed_by" text,
	"ciphertext" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "outputs" ADD COLUMN "receipt" jsonb;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "receipt" jsonb;--> statement-breakpoint
ALTER TABLE "responses" ADD COLUMN "receipt" jsonb;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "signature_keys" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "receipt_keys_current" ON "receipt_keys" USING btree ((retired_at is null)) WHERE retired_at is null;