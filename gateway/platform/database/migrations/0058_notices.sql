CREATE TABLE "email_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"email" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "notice_causes" (
	"id" text PRIMARY KEY NOT NULL,
	"cause" text NOT NULL,
	"account_id" text,
	"user_id" text,
	"subject_id" text,
	"data" jsonb NOT NULL,
	"once_key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"spread_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "notice_hooks" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"template" text NOT NULL,
	"causes" text[] NOT NULL,
	"key_id" text NOT NULL,
	"ciphertext" text NOT NULL,
	"hint" text NOT NULL,
	"last_sent_at" timestamp with time zone,
	"last_error" text,
	"last_error_at" timestamp with time zone,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notice_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"account_id" text,
	"user_id" text,
	"hook_id" text,
	"address" text,
	"recipient" text NOT NULL,
	"causes" text[] DEFAULT '{}' NOT NULL,
	"items" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"more" integer DEFAULT 0 NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"key_id" text,
	"ciphertext" text,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_owner" text,
	"lease_expires_at" timestamp with time zone,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "notice_preferences" (
	"user_id" text PRIMARY KEY NOT NULL,
	"choices" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" text PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"user_id" text,
	"account_id" text,
	"cause" text NOT NULL,
	"subject_id" text,
	"group_key" text NOT NULL,
	"data" jsonb NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	"email_error" text,
	"is_personal" boolean DEFAULT false NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_causes" ADD CONSTRAINT "notice_causes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_causes" ADD CONSTRAINT "notice_causes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_hooks" ADD CONSTRAINT "notice_hooks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_messages" ADD CONSTRAINT "notice_messages_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_messages" ADD CONSTRAINT "notice_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_messages" ADD CONSTRAINT "notice_messages_hook_id_notice_hooks_id_fk" FOREIGN KEY ("hook_id") REFERENCES "public"."notice_hooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_preferences" ADD CONSTRAINT "notice_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_changes_user" ON "email_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "email_changes_expiry" ON "email_changes" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "notice_causes_once" ON "notice_causes" USING btree ("once_key") WHERE once_key is not null;--> statement-breakpoint
CREATE INDEX "notice_causes_unspread" ON "notice_causes" USING btree ("id") WHERE spread_at is null;--> statement-breakpoint
CREATE INDEX "notice_causes_age" ON "notice_causes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notice_hooks_account" ON "notice_hooks" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "notice_messages_due" ON "notice_messages" USING btree ("next_attempt_at") WHERE status in ('pending', 'gathering');--> statement-breakpoint
CREATE INDEX "notice_messages_recipient" ON "notice_messages" USING btree ("recipient","due_at");--> statement-breakpoint
CREATE INDEX "notice_messages_age" ON "notice_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notice_messages_account" ON "notice_messages" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "notice_messages_hook" ON "notice_messages" USING btree ("hook_id") WHERE hook_id is not null;--> statement-breakpoint
CREATE INDEX "notices_recipient" ON "notices" USING btree ("recipient","id");--> statement-breakpoint
CREATE UNIQUE INDEX "notices_unread" ON "notices" USING btree ("recipient","group_key") WHERE read_at is null;--> statement-breakpoint
CREATE INDEX "notices_account" ON "notices" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "notices_age" ON "notices" USING btree ("created_at");--> statement-breakpoint
CREATE FUNCTION "notice_of_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	o jsonb := NEW."body"::jsonb #> '{data,object}';
BEGIN
	INSERT INTO "notice_causes" ("id", "cause", "account_id", "user_id", "subject_id", "data")
	SELECT 'cse_' || right(NEW."id", 26), NEW."type", a."id",
		(SELECT u."id" FROM "users" u WHERE o #>> '{holder,type}' = 'member' AND u."id" = o #>> '{holder,id}'),
		coalesce(o ->> 'endpoint_id', o #>> '{holder,id}', o ->> 'id'),
		jsonb_strip_nulls(jsonb_build_object(
			'url', o ->> 'url', 'failures', o -> 'consecutive_failures', 'reason', o ->> 'disabled_reason',
			'error', o ->> 'last_error', 'event_type', o ->> 'event_type',
			'percent', o -> 'share', 'name', o #>> '{holder,name}', 'holder', o #>> '{holder,type}',
			'spent', o ->> 'spent', 'amount', o ->> 'amount', 'currency', o ->> 'currency'))
	FROM "accounts" a WHERE a."id" = NEW."account_id"
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "webhook_events_noticed" AFTER INSERT ON "webhook_events" FOR EACH ROW WHEN (NEW."type" IN ('endpoint.failing', 'endpoint.disabled', 'endpoint.recovered', 'delivery.exhausted', 'budget.threshold') AND NEW."body" IS NOT NULL) EXECUTE FUNCTION "notice_of_event"();
