CREATE TABLE "figure_additions" (
	"account_id" text NOT NULL,
	"set" text NOT NULL,
	"kind" text NOT NULL,
	"model" text DEFAULT '' NOT NULL,
	"operation" text DEFAULT '' NOT NULL,
	"key_id" text DEFAULT '' NOT NULL,
	"provider" text DEFAULT '' NOT NULL,
	"region" text DEFAULT '' NOT NULL,
	"status" smallint NOT NULL,
	"code" text DEFAULT '' NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"runs" bigint DEFAULT 0 NOT NULL,
	"bytes_in" bigint DEFAULT 0 NOT NULL,
	"bytes_out" bigint DEFAULT 0 NOT NULL,
	"tokens_in" bigint DEFAULT 0 NOT NULL,
	"tokens_out" bigint DEFAULT 0 NOT NULL,
	"generating_ms" double precision DEFAULT 0 NOT NULL,
	"times" integer[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figure_series" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "figure_series_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"set" text NOT NULL,
	"kind" text NOT NULL,
	"model" text DEFAULT '' NOT NULL,
	"operation" text DEFAULT '' NOT NULL,
	"key_id" text DEFAULT '' NOT NULL,
	"provider" text DEFAULT '' NOT NULL,
	"region" text DEFAULT '' NOT NULL,
	"status" smallint NOT NULL,
	"code" text DEFAULT '' NOT NULL,
	CONSTRAINT "figure_series_labels" UNIQUE("account_id","set","kind","model","operation","key_id","provider","region","status","code")
);
--> statement-breakpoint
CREATE TABLE "figures" (
	"series_id" integer NOT NULL,
	"step" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"runs" bigint DEFAULT 0 NOT NULL,
	"bytes_in" bigint DEFAULT 0 NOT NULL,
	"bytes_out" bigint DEFAULT 0 NOT NULL,
	"tokens_in" bigint DEFAULT 0 NOT NULL,
	"tokens_out" bigint DEFAULT 0 NOT NULL,
	"generating_ms" double precision DEFAULT 0 NOT NULL,
	"times" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "figures_series_id_step_at_pk" PRIMARY KEY("series_id","step","at")
);
--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "bytes_in" bigint;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "bytes_out" bigint;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "tokens_out" integer;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "asked_ms" real;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "first_ms" real;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "answered_ms" real;--> statement-breakpoint
ALTER TABLE "request_logs" ADD COLUMN "failed_tries" jsonb;--> statement-breakpoint
ALTER TABLE "figures" ADD CONSTRAINT "figures_series_id_figure_series_id_fk" FOREIGN KEY ("series_id") REFERENCES "public"."figure_series"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "figure_additions_account" ON "figure_additions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "figures_age" ON "figures" USING btree ("step","at");
--> statement-breakpoint
-- Adds the counts of two lists of pairs (bucket, count), bucket by bucket.
CREATE FUNCTION "figure_times_sum"("one" integer[], "other" integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	WITH "all" AS (SELECT "one" || "other" AS "items"),
	"summed" AS (
		SELECT "items"["i"] AS "bucket", least(sum("items"["i" + 1]::bigint), 2147483647)::integer AS "count"
		FROM "all", generate_series(1, cardinality("items"), 2) AS "i" GROUP BY 1
	)
	SELECT coalesce(array_agg("item" ORDER BY "bucket", "place"), '{}')
	FROM "summed" CROSS JOIN LATERAL (VALUES (1, "bucket"), (2, "count")) AS "pair" ("place", "item")
$$;
