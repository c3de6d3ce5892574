import { retryableDeliveryStatuses } from "#contract/webhook-constants.ts";
import type { GatewayFailure, GatewayResult } from "../gateway/result.ts";
import { boundedFilter, bulkCalls } from "./bulk-retry-calls.ts";
import type {
  BulkOutcome,
  BulkProgress,
  BulkRetryCalls,
  BulkRow,
  BulkRun,
  BulkSelection,
} from "./bulk-run.ts";
import type { FilterText } from "./delivery-view.ts";

const maxWaits = 10;
/** The longest Retry-After for which a bulk retry waits. */
const maxWaitSeconds = 600;

/** Retries deliveries, call by call, until none is left, the user stops it or a call fails. */
export async function runBulkRetry(run: BulkRun): Promise<BulkOutcome> {
  const { signal, onProgress, sleep = sleepUntil } = run;
  const rows: BulkRow[] = [];
  let left = "ids" in run.selection ? run.selection.ids.length : null;
  const progress = (waitingSeconds: number | null): BulkProgress => ({
    rows: [...rows],
    queued: rows.filter((row) => row.code === null).length,
    refused: rows.filter((row) => row.code !== null).length,
    left,
    waitingSeconds,
  });
  const finish = (end: BulkOutcome["end"], error: GatewayFailure | null): BulkOutcome => ({
    ...progress(null),
    end,
    error,
  });
  let waits = 0;
  for await (const step of bulkCalls(run)) {
    if (step.ok) {
      waits = 0;
      rows.push(...step.data.rows);
      left = step.data.left;
      onProgress(progress(null));
    } else if (!signal.aborted) {
      const { status, retryAfterSeconds } = step.error;
      waits += 1;
      const seconds = retryAfterSeconds ?? 1;
      if (status !== 429 || waits > maxWaits || seconds > maxWaitSeconds) return finish("failed", step.error);
      onProgress(progress(seconds));
      await sleep(seconds * 1000, signal);
    }
    if (signal.aborted && left !== 0) return finish("stopped", null);
  }
  return finish("done", null);
}

function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      done();
    }
    signal.addEventListener("abort", end);
  });
}

export interface BulkPreview {
  /** Deliveries that match the selection. */
  matched: number;
  /** Deliveries that match and can be retried now. */
  retryable: number;
  /** False if the gateway cannot count: at least this many match. */
  exact: boolean;
}

const rowsPerPage = 100;
/** Without a route that counts, read this many pages before showing "at least". */
const pagesCounted = 5;

/** A dry run of a bulk retry. */
export async function previewBulkRetry(
  calls: BulkRetryCalls,
  selection: BulkSelection,
  startedAt: Date,
): Promise<GatewayResult<BulkPreview>> {
  const body =
    "ids" in selection ? { ids: [...selection.ids] } : { filter: boundedFilter(selection.filter, startedAt) };
  const answer = await calls.retryMany({ ...body, dry_run: true });
  if (answer.ok) {
    const { matched, retryable } = answer.data;
    return { ok: true, data: { matched, retryable, exact: true } };
  }
  if (answer.error.code !== "route_not_found" && answer.error.status !== 405) return answer;
  if ("ids" in selection) {
    const count = selection.ids.length;
    return { ok: true, data: { matched: count, retryable: count, exact: false } };
  }
  return countPages(calls, boundedFilter(selection.filter, startedAt));
}

async function countPages(calls: BulkRetryCalls, filter: FilterText): Promise<GatewayResult<BulkPreview>> {
  const preview: BulkPreview = { matched: 0, retryable: 0, exact: true };
  let after: string | null = null;
  for (let page = 0; page < pagesCounted; page += 1) {
    const answer = await calls.list({ ...filter, limit: rowsPerPage, ...(after !== null && { after }) });
    if (!answer.ok) return answer;
    const { data, has_more, last_id } = answer.data;
    preview.matched += data.length;
    preview.retryable += data.filter((row) =>
      retryableDeliveryStatuses.some((status) => status === row.status),
    ).length;
    preview.exact = !has_more;
    if (!has_more || last_id === null) break;
    after = last_id;
  }
  return { ok: true, data: preview };
}
