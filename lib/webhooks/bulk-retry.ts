import type { GatewayFailure } from "../gateway/result.ts";
import { bulkCalls } from "./bulk-retry-calls.ts";
import type { BulkOutcome, BulkProgress, BulkRow, BulkRun } from "./bulk-run.ts";

const maxWaits = 10;
/** The longest Retry-After to wait for. */
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
