CREATE TABLE "response_events" (
	"response_id" text NOT NULL,
	"number" integer NOT NULL,
	"events" json NOT NULL,
	CONSTRAINT "response_events_response_id_number_pk" PRIMARY KEY("response_id","number")
);
--> statement-breakpoint
ALTER TABLE "response_events" ADD CONSTRAINT "response_events_response_id_responses_id_fk" FOREIGN KEY ("response_id") REFERENCES "public"."responses"("id") ON DELETE cascade ON UPDATE no action;