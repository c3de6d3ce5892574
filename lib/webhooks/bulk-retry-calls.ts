import type { BulkRetryResult } from "#contract/webhook.ts";
import { retryableDeliveryStatuses } from "#contract/webhook-constants.ts";
import type { GatewayResult } from "../gateway/result.ts";
import type { BulkRow, BulkRun } from "./bulk-run.ts";
import type { FilterText } from "./delivery-view.ts";

/** Deliveries per call: few enough that progress is visible and Stop works soon. */
const perCall = 25;
const rowsPerPage = 100;
/**
 * Statuses of a call that end the whole run or make it wait. With any other status, the call counts as a
 * result for its delivery.
 */
const runWide = new Set([0, 401, 403, 429, 500, 502, 503, 504]);

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
export async function* bulkCalls(run: BulkRun): AsyncGenerator<Step> {
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
export function boundedFilter(filter: FilterText, startedAt: Date): FilterText {
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
