CREATE TABLE "process_loads" (
	"process_id" text NOT NULL,
	"minute" timestamp with time zone NOT NULL,
	"rows" jsonb NOT NULL,
	"written_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "process_loads_process_id_minute_pk" PRIMARY KEY("process_id","minute")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "operator_limits" jsonb;--> statement-breakpoint
CREATE TRIGGER "api_keys_operator_limits_changed" AFTER UPDATE OF "operator_limits" ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "credential_changed"();
