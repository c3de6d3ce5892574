/** A row of the request log, with the table's column names. */
export interface LogRow {
  id: string;
  account_id: string;
  at: Date;
  method: string;
  route: string;
  status: number;
  code: string | null;
  model: string | null;
  region: string | null;
  provider: string | null;
  alias: string | null;
  /** JSON. */
  metadata: string | null;
  key_id: string | null;
  user_id: string | null;
  duration_ms: number;
  usage_unit: string | null;
  usage_quantity: number | null;
  charge: string | null;
  charge_reason: string | null;
  from_session: boolean;
  run_id: string | null;
  bytes_in: number | null;
  bytes_out: number | null;
  tokens_out: number | null;
  asked_ms: number | null;
  first_ms: number | null;
  answered_ms: number | null;
  /** JSON. */
  failed_tries: string | null;
}
