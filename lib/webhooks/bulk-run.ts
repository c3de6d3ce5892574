import type { BulkRetry, BulkRetryResult, Delivery } from "#contract/webhook.ts";
import type { GatewayFailure, GatewayResult } from "../gateway/result.ts";
import type { FilterText } from "./delivery-view.ts";

/** The deliveries to retry: the selected rows, or all that match a filter. */
export type BulkSelection = { ids: readonly string[] } | { filter: FilterText };

/** The calls of a run. Pages pass server actions, tests pass functions. */
export interface BulkRetryCalls {
  retryMany(
    body: Omit<BulkRetry, "filter"> & { filter?: FilterText },
  ): Promise<GatewayResult<BulkRetryResult>>;
  retryOne(id: string): Promise<GatewayResult<Delivery>>;
  list(
    query: FilterText & { limit: number; after?: string },
  ): Promise<GatewayResult<{ data: Delivery[]; has_more: boolean; last_id: string | null }>>;
}

export interface BulkRow {
  id: string;
  deliveryId: string | null;
  /** Why the retry was refused. Null when it is queued. */
  code: string | null;
}

export interface BulkProgress {
  rows: BulkRow[];
  queued: number;
  refused: number;
  /** Number of deliveries that no step has reached yet. Null while unknown. */
  left: number | null;
  /** Set while the gateway requires a wait (429). */
  waitingSeconds: number | null;
}

export interface BulkOutcome extends BulkProgress {
  /** `done`: nothing is left. `stopped`: by the user. `failed`: a call failed and the rest was not tried. */
  end: "done" | "stopped" | "failed";
  error: GatewayFailure | null;
}

export interface BulkRun {
  calls: BulkRetryCalls;
  selection: BulkSelection;
  /** Limits the filter, so that a new delivery that fails in the meantime is not retried as well. */
  startedAt: Date;
  onProgress: (progress: BulkProgress) => void;
  signal: AbortSignal;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}
