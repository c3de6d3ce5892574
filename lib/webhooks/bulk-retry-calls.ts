import type { DeliveryFilter } from "#contract/webhook.ts";
import { retryableDeliveryStatuses } from "#contract/webhook-words.ts";
import type { GatewayResult } from "../gateway/result.ts";
import type { BulkRow, BulkRun } from "./bulk-run.ts";

/** Ids per call: small enough that progress moves and Stop takes hold soon. */
export const idsPerCall = 200;
const rowsPerPage = 100;
/** A refusal of one row is a result; these end the run, or make it wait. */
const runWide = new Set([0, 401, 403, 429, 500, 502, 503, 504]);

type Step = GatewayResult<BulkRow[]>;

/**
 * The calls of a run, one after the other. A failed step is offered to the caller and then tried again,
 * so the caller decides by going on or not.
 */
export async function* bulkCalls(run: BulkRun): AsyncGenerator<Step> {
  const { selection } = run;
  if ("ids" in selection) {
    for (let start = 0; start < selection.ids.length; start += idsPerCall) {
      const ids = selection.ids.slice(start, start + idsPerCall);
      const missing = yield* untilDone(async () => rowsOf(await run.door.retryMany({ ids })));
      if (missing) {
        yield* oneByOne(run, selection.ids.slice(start));
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
      const answer = await run.door.retryMany({ filter });
      if (!answer.ok) return answer;
      const fresh = answer.data.results.filter((row) => !seen.has(row.id));
      for (const row of fresh) seen.add(row.id);
      // A call that brings nothing new would go on for ever.
      hasMore = answer.data.has_more && fresh.length > 0;
      return {
        ok: true,
        data: fresh.map((row) => ({ id: row.id, deliveryId: row.delivery_id, code: row.code })),
      };
    });
    if (missing) {
      yield* pageByPage(run, filter);
      return;
    }
  }
}

/** The filter with an upper end in time: what is created from now on is not part of this run. */
export function boundedFilter(filter: DeliveryFilter, startedAt: Date): DeliveryFilter {
  const start = startedAt.toISOString();
  const before = filter.created_before;
  return { ...filter, created_before: before !== undefined && before < start ? before : start };
}

/** Offers failures to the caller until the call works; true when the gateway has no such route. */
async function* untilDone(call: () => Promise<Step>): AsyncGenerator<Step, boolean> {
  for (;;) {
    const step = await call();
    if (!step.ok && (step.error.code === "route_not_found" || step.error.status === 405)) return true;
    yield step;
    if (step.ok) return false;
  }
}

function rowsOf(answer: Awaited<ReturnType<BulkRun["door"]["retryMany"]>>): Step {
  if (!answer.ok) return answer;
  const rows = answer.data.results.map((row) => ({
    id: row.id,
    deliveryId: row.delivery_id,
    code: row.code,
  }));
  return { ok: true, data: rows };
}

/** A gateway without the bulk route still retries each delivery by its id. */
async function* oneByOne(run: BulkRun, ids: readonly string[]): AsyncGenerator<Step> {
  for (const id of ids) {
    yield* untilDone(async () => {
      const answer = await run.door.retryOne(id);
      if (answer.ok) return { ok: true, data: [{ id, deliveryId: answer.data.id, code: null }] };
      if (runWide.has(answer.error.status)) return answer;
      return { ok: true, data: [{ id, deliveryId: null, code: answer.error.code }] };
    });
  }
}

async function* pageByPage(run: BulkRun, filter: DeliveryFilter): AsyncGenerator<Step> {
  let after: string | undefined;
  for (;;) {
    const page = await run.door.list({ ...filter, limit: rowsPerPage, ...(after && { after }) });
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
    );
    if (!page.data.has_more || page.data.last_id === null) return;
    after = page.data.last_id;
  }
}
