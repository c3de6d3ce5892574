CREATE TABLE "model_settings" (
	"model_id" text PRIMARY KEY NOT NULL,
	"display_name" text,
	"hidden" boolean DEFAULT false NOT NULL,
	"accounts" jsonb
);
--> statement-breakpoint
CREATE TABLE "own_model_revisions" (
	"model_id" text NOT NULL,
	"revision" integer NOT NULL,
	"entry" jsonb NOT NULL,
	"source" jsonb NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "own_model_revisions_model_id_revision_pk" PRIMARY KEY("model_id","revision")
);
--> statement-breakpoint
CREATE TABLE "own_models" (
	"id" text PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"change_number" bigint NOT NULL,
	"left_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "predictions" ADD COLUMN "entry_revision" integer;--> statement-breakpoint
ALTER TABLE "own_model_revisions" ADD CONSTRAINT "own_model_revisions_model_id_own_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."own_models"("id") ON DELETE cascade ON UPDATE no action;