ALTER TABLE "guards" ADD COLUMN "streams" text DEFAULT 'after' NOT NULL;--> statement-breakpoint
ALTER TABLE "guards" ADD COLUMN "hold_characters" integer DEFAULT 500 NOT NULL;--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "unchecked" jsonb;