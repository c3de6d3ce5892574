import type { GatewayFailure } from "../gateway/result.ts";
import { bulkCalls } from "./bulk-retry-calls.ts";
import type { BulkOutcome, BulkProgress, BulkRow, BulkRun } from "./bulk-run.ts";

const maxWaits = 10;
const maxWaitSeconds = 60;

/** Sends deliveries again, call by call, until none is left, the user stops it or a call fails. */
export async function runBulkRetry(run: BulkRun): Promise<BulkOutcome> {
  const { signal, onProgress, sleep = sleepUntil } = run;
  const rows: BulkRow[] = [];
  const progress = (waitingSeconds: number | null): BulkProgress => ({
    rows: [...rows],
    queued: rows.filter((row) => row.code === null).length,
    refused: rows.filter((row) => row.code !== null).length,
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
      rows.push(...step.data);
      onProgress(progress(null));
    } else {
      const { status, retryAfterSeconds } = step.error;
      waits += 1;
      if (status !== 429 || waits > maxWaits) return finish("failed", step.error);
      const seconds = Math.min(retryAfterSeconds ?? 1, maxWaitSeconds);
      onProgress(progress(seconds));
      await sleep(seconds * 1000, signal);
    }
    if (signal.aborted) return finish("stopped", null);
  }
  return finish(signal.aborted ? "stopped" : "done", null);
}

function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
}
