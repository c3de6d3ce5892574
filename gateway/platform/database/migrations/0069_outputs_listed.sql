DROP INDEX "outputs_model";--> statement-breakpoint
ALTER TABLE "outputs" ADD COLUMN "api_type" text;--> statement-breakpoint
ALTER TABLE "outputs" ADD COLUMN "svc_region" text;--> statement-breakpoint
ALTER TABLE "outputs" ADD COLUMN "sandbox" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "outputs" ADD COLUMN "key_id" text;--> statement-breakpoint
ALTER TABLE "outputs" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "outputs" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
CREATE INDEX "outputs_kind" ON "outputs" USING btree ("account_id",coalesce(api_type, ''),split_part(content_type, '/', 1),model,coalesce(svc_region, ''),"id") WHERE key is not null;--> statement-breakpoint
CREATE INDEX "outputs_user" ON "outputs" USING btree ("account_id","user_id","id") WHERE key is not null and user_id is not null;--> statement-breakpoint
CREATE INDEX "outputs_key" ON "outputs" USING btree ("account_id","key_id","id") WHERE key is not null and key_id is not null;--> statement-breakpoint
CREATE INDEX "outputs_metadata" ON "outputs" USING gin (metadata jsonb_path_ops) WHERE key is not null and metadata is not null;