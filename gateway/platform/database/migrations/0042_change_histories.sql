ALTER TABLE "configuration_changes" ADD COLUMN "touches" text[];--> statement-breakpoint
ALTER TABLE "configuration_changes" ADD COLUMN "undoes" text;