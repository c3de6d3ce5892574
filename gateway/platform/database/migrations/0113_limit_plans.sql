CREATE TABLE "limit_plans" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"limits" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "plan_id" text;--> statement-breakpoint
CREATE UNIQUE INDEX "limit_plans_name" ON "limit_plans" USING btree (lower("name"));--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_plan_id_limit_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."limit_plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
DROP TRIGGER "accounts_limits_changed" ON "accounts";--> statement-breakpoint
CREATE TRIGGER "accounts_limits_changed" AFTER UPDATE OF "limits", "plan_id" ON "accounts" FOR EACH ROW WHEN ((OLD."limits", OLD."plan_id") IS DISTINCT FROM (NEW."limits", NEW."plan_id")) EXECUTE FUNCTION "sign_in_rules_changed"();--> statement-breakpoint
CREATE TRIGGER "limit_plans_changed" AFTER UPDATE OF "limits" ON "limit_plans" FOR EACH ROW WHEN (OLD."limits" IS DISTINCT FROM NEW."limits") EXECUTE FUNCTION "sign_in_rules_changed"();
