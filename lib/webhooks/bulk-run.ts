import type { BulkRetry, BulkRetryResult, Delivery, DeliveryFilter } from "#contract/webhook.ts";
import type { GatewayFailure, GatewayResult } from "../gateway/result.ts";

/** What is to be sent again: the rows that were ticked, or all that match a filter. */
export type BulkSelection = { ids: readonly string[] } | { filter: DeliveryFilter };

/** The calls that a run needs; the page gives server actions, a test gives functions. */
export interface BulkRetryDoor {
  retryMany(body: BulkRetry): Promise<GatewayResult<BulkRetryResult>>;
  retryOne(id: string): Promise<GatewayResult<Delivery>>;
  list(
    query: DeliveryFilter & { limit: number; after?: string },
  ): Promise<GatewayResult<{ data: Delivery[]; has_more: boolean; last_id: string | null }>>;
}

export interface BulkRow {
  id: string;
  deliveryId: string | null;
  /** Why it was refused; null when it is queued. */
  code: string | null;
}

export interface BulkProgress {
  rows: BulkRow[];
  queued: number;
  refused: number;
  /** Set while the gateway asks to wait (429). */
  waitingSeconds: number | null;
}

export interface BulkOutcome extends BulkProgress {
  /** `done`: nothing is left; `stopped`: the user did; `failed`: a call failed and the rest was not tried. */
  end: "done" | "stopped" | "failed";
  error: GatewayFailure | null;
}

export interface BulkRun {
  door: BulkRetryDoor;
  selection: BulkSelection;
  /** Bounds the filter, so that a new delivery which fails meanwhile is not sent again in turn. */
  startedAt: Date;
  onProgress: (progress: BulkProgress) => void;
  signal: AbortSignal;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}
