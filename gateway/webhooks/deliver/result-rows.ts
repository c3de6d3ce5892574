import type { AttemptRow, DeliveryChange } from "./result.ts";

type Column = "text" | "integer" | "boolean" | "double precision" | "timestamptz" | "jsonb";
type Columns<Row> = Record<keyof Row & string, Column>;

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

/** Rows as arrays of values: smaller to write and to parse than objects with their keys. */
export function rowsAsJson<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  const names = Object.keys(columns) as (keyof Row & string)[];
  return JSON.stringify(rows.map((row) => names.map((name) => row[name])));
}

/** The SQL that reads the columns from such an array, named `row`. */
export function valuesIn(row: string, columns: Record<string, Column>): string {
  return Object.entries(columns)
    .map(([name, type], place) =>
      type === "jsonb"
        ? `nullif(${row}->${place}, 'null') as ${name}`
        : `(${row}->>${place})::${type} as ${name}`,
    )
    .join(", ");
}
