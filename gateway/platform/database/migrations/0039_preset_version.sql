ALTER TABLE "presets" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "presets" ADD COLUMN "changed_by_key_id" text;--> statement-breakpoint
ALTER TABLE "presets" ADD COLUMN "changed_by_user_id" text;