CREATE TABLE "configuration_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"target_id" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "configuration_changes" ADD CONSTRAINT "configuration_changes_id_audit_logs_id_fk" FOREIGN KEY ("id") REFERENCES "public"."audit_logs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "configuration_changes_target" ON "configuration_changes" USING btree ("target_id","id");