ALTER TABLE "account_deletions" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "account_deletions" ADD COLUMN "removed" jsonb;--> statement-breakpoint
ALTER TABLE "account_deletions" ADD COLUMN "sha256" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "suspension" jsonb;