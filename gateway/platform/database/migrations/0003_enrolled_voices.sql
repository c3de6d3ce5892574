CREATE TABLE "enrolled_voices" (
	"id" text NOT NULL,
	"provider" text NOT NULL,
	"region" text NOT NULL,
	"account_id" text NOT NULL,
	"model" text NOT NULL,
	"target_model" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "enrolled_voices_provider_region_id_pk" PRIMARY KEY("provider","region","id")
);
--> statement-breakpoint
ALTER TABLE "enrolled_voices" ADD CONSTRAINT "enrolled_voices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "enrolled_voices_account" ON "enrolled_voices" USING btree ("account_id","provider","region","model");