CREATE TABLE "preset_versions" (
	"preset_id" text NOT NULL,
	"version" integer NOT NULL,
	"key_id" text,
	"user_id" text,
	"name" text NOT NULL,
	"input" jsonb NOT NULL,
	"schema_version" integer NOT NULL,
	"media" jsonb NOT NULL,
	"media_expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "preset_versions_preset_id_version_pk" PRIMARY KEY("preset_id","version")
);
--> statement-breakpoint
ALTER TABLE "preset_versions" ADD CONSTRAINT "preset_versions_preset_id_presets_id_fk" FOREIGN KEY ("preset_id") REFERENCES "public"."presets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "preset_versions_media" ON "preset_versions" USING btree ("media_expires_at") WHERE media_expires_at is not null;