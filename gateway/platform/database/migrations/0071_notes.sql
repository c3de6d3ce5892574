CREATE TABLE "notes" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"prediction_id" text,
	"delivery_id" text,
	"key_id" text,
	"user_id" text,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone,
	CONSTRAINT "notes_subject" CHECK (num_nonnulls("notes"."prediction_id", "notes"."delivery_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_prediction_id_predictions_id_fk" FOREIGN KEY ("prediction_id") REFERENCES "public"."predictions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_delivery" FOREIGN KEY ("account_id","delivery_id") REFERENCES "public"."webhook_delivery_keys"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notes_of_delivery" ON "notes" USING btree ("account_id","delivery_id","id");--> statement-breakpoint
CREATE INDEX "notes_of_prediction" ON "notes" USING btree ("prediction_id","id") WHERE prediction_id is not null;