CREATE TABLE "audit_outbox" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_outbox_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"entry" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_stream" (
	"id" text PRIMARY KEY NOT NULL,
	"last" bigint DEFAULT 0 NOT NULL,
	"batch_id" text,
	"batch_lines" text,
	"batch_at" timestamp with time zone,
	"file" jsonb,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_error" text,
	"last_sent_at" timestamp with time zone,
	"dropped" bigint DEFAULT 0 NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- Also for rows that the previous release writes. They leave in the order of these numbers, each as soon as it is committed.
CREATE FUNCTION "audit_stream_follow"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "audit_outbox" ("entry")
    SELECT to_jsonb("added") FROM "added" WHERE EXISTS (SELECT FROM "audit_stream") ORDER BY "added"."id";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_stream_follow" AFTER INSERT ON "audit_logs" REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "audit_stream_follow"();
