import type { Columns } from "#gateway/database/row-arrays.ts";
import type { AttemptRow, DeliveryChange } from "./result.ts";

/** The columns of webhook_attempts, in the order in which their values are sent. */
export const attemptColumns: Columns<AttemptRow> = {
  id: "text",
  delivery_id: "text",
  endpoint_id: "text",
  number: "integer",
  succeeded: "boolean",
  started_at: "timestamptz",
  duration_ms: "double precision",
  url: "text",
  remote_ip: "text",
  request_headers: "jsonb",
  response_status: "integer",
  response_headers: "jsonb",
  response_body: "text",
  response_body_truncated: "boolean",
  error_code: "text",
  error_detail: "text",
  timings: "jsonb",
};

export const changeColumns: Columns<DeliveryChange> = {
  id: "text",
  owner: "text",
  url: "text",
  used: "integer",
  next: "text",
  retry_in_ms: "double precision",
  last_error: "text",
  last_status_code: "integer",
};
