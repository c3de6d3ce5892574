CREATE TABLE "usage_lines" (
	"run" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"run_prefix" text NOT NULL,
	"unit" text NOT NULL,
	"quantity" numeric NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text,
	"user_id" text,
	"model" text NOT NULL,
	"provider" text NOT NULL,
	"region" text NOT NULL,
	"day" text NOT NULL,
	CONSTRAINT "usage_lines_run_kind_pk" PRIMARY KEY("run","kind")
);
--> statement-breakpoint
-- In the order in which a prediction's end locks them: the other way round, the two would wait for each other.
ALTER TABLE "predictions" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "usage_daily" ALTER COLUMN "quantity" SET DATA TYPE numeric;