import type { BulkRetry, BulkRetryResult, Delivery } from "#contract/webhook.ts";
import { retryableDeliveryStatuses } from "#contract/webhook-constants.ts";
import type { GatewayFailure, GatewayResult } from "../gateway/result.ts";
import { runWide, sleepUntil, waitAfter } from "../run-each.ts";
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
      waits += 1;
      const seconds = waitAfter(step.error, waits);
      if (seconds === null) return finish("failed", step.error);
      onProgress(progress(seconds));
      await sleep(seconds * 1000, signal);
    }
    if (signal.aborted && left !== 0) return finish("stopped", null);
  }
  return finish("done", null);
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

/** Deliveries per call: few enough that progress is visible and Stop works soon. */
const perCall = 25;

interface StepRows {
  rows: BulkRow[];
  /** Number of deliveries after this step. Null if the gateway does not return it. */
  left: number | null;
}

type Step = GatewayResult<StepRows>;

/**
 * The calls of a run, one after the other. A failed step is yielded to the caller and then retried, so that
 * the caller decides whether to continue.
 */
async function* bulkCalls(run: BulkRun): AsyncGenerator<Step> {
  const { selection } = run;
  // All calls share one entry of the audit log.
  let ofRun: { run_id?: string } = {};
  const retryMany = async (body: Parameters<typeof run.calls.retryMany>[0]) => {
    const answer = await run.calls.retryMany({ ...body, ...ofRun });
    if (answer.ok && answer.data.run_id) ofRun = { run_id: answer.data.run_id };
    return answer;
  };
  if ("ids" in selection) {
    for (let start = 0; start < selection.ids.length; start += perCall) {
      const ids = selection.ids.slice(start, start + perCall);
      const left = selection.ids.length - start - ids.length;
      const missing = yield* untilDone(async () => {
        const answer = await retryMany({ ids });
        return answer.ok ? { ok: true, data: { rows: rowsOf(answer.data.results), left } } : answer;
      });
      if (missing) {
        yield* oneByOne(run, selection.ids.slice(start), 0);
        return;
      }
    }
    return;
  }
  const filter = boundedFilter(selection.filter, run.startedAt);
  let hasMore = true;
  const seen = new Set<string>();
  while (hasMore) {
    const missing = yield* untilDone(async () => {
      const answer = await retryMany({ filter, limit: perCall });
      if (!answer.ok) return answer;
      const fresh = answer.data.results.filter((row) => !seen.has(row.id));
      for (const row of fresh) seen.add(row.id);
      // Without this check, calls that return nothing new would never end.
      hasMore = answer.data.has_more && fresh.length > 0;
      const left = hasMore ? answer.data.retryable - fresh.length : 0;
      return { ok: true, data: { rows: rowsOf(fresh), left } };
    });
    if (missing) {
      yield* pageByPage(run, filter);
      return;
    }
  }
}

/**
 * Limits the filter to the time before the start, because deliveries created later are not part of this run.
 */
function boundedFilter(filter: FilterText, startedAt: Date): FilterText {
  const start = startedAt.toISOString();
  const before = filter.created_before;
  return { ...filter, created_before: before !== undefined && before < start ? before : start };
}

/**
 * Yields failures to the caller until the call succeeds. Returns true if the gateway does not have the route.
 */
async function* untilDone(call: () => Promise<Step>): AsyncGenerator<Step, boolean> {
  for (;;) {
    const step = await call();
    if (!step.ok && (step.error.code === "route_not_found" || step.error.status === 405)) return true;
    yield step;
    if (step.ok) return false;
  }
}

function rowsOf(results: BulkRetryResult["results"]): BulkRow[] {
  return results.map((row) => ({ id: row.id, deliveryId: row.delivery_id, code: row.code }));
}

/**
 * A gateway without the bulk route can still retry each delivery by its id. `beyond` is the number of
 * deliveries after `ids`. Null when unknown.
 */
async function* oneByOne(run: BulkRun, ids: readonly string[], beyond: number | null): AsyncGenerator<Step> {
  for (const [index, id] of ids.entries()) {
    const left = beyond === null ? null : beyond + ids.length - index - 1;
    yield* untilDone(async () => {
      const answer = await run.calls.retryOne(id);
      if (answer.ok)
        return { ok: true, data: { rows: [{ id, deliveryId: answer.data.id, code: null }], left } };
      if (runWide.has(answer.error.status)) return answer;
      return { ok: true, data: { rows: [{ id, deliveryId: null, code: answer.error.code }], left } };
    });
  }
}

async function* pageByPage(run: BulkRun, filter: FilterText): AsyncGenerator<Step> {
  let after: string | undefined;
  for (;;) {
    const page = await run.calls.list({ ...filter, limit: rowsPerPage, ...(after && { after }) });
    if (!page.ok) {
      yield page;
      continue;
    }
    const retryable = page.data.data.filter((row) =>
      retryableDeliveryStatuses.some((each) => each === row.status),
    );
    yield* oneByOne(
      run,
      retryable.map((row) => row.id),
      page.data.has_more ? null : 0,
    );
    if (!page.data.has_more || page.data.last_id === null) return;
    after = page.data.last_id;
  }
}
