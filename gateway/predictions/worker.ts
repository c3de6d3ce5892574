import type { Context } from "#gateway/context.ts";
import { asApiError } from "#gateway/execution/dispatch.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { leaseMs } from "#gateway/jobs/instance.ts";
import { startSlotLoop } from "#gateway/jobs/slot-loop.ts";
import { ProviderError } from "#gateway/providers/provider.ts";
import { workChannel } from "./accept.ts";
import { advance } from "./advance.ts";
import { freeAllLeases, leaseDue, release, renewLeases, updateLeased } from "./lease.ts";
import { settle } from "./settle.ts";
import type { PredictionRow } from "./view.ts";

/** Steps that may be under way at once in one process; most of the time of a run no step is. */
const slots = 16;
const backstopMs = 1_000;
/** After a step failed for a reason of ours or a passing one upstream. */
const retryStepMs = 3_000;

/** Runs predictions. The row is the job: leased, renewed, and taken over when its worker dies. */
export async function startPredictionWorker(context: Context): Promise<{ stop(): Promise<void> }> {
  if (context.database.engine === "embedded") await freeAllLeases(context);
  const stopping = new AbortController();
  const loop = startSlotLoop<PredictionRow>({
    name: "predictions",
    log: context.log,
    slots,
    pollMs: backstopMs,
    claim: (limit) => leaseDue(context, limit),
    async run(row) {
      const nextMs = await step(context, row, stopping.signal);
      if (nextMs === null) return;
      await release(context, row.id, nextMs);
      loop.wakeIn(nextMs);
    },
  });
  const stopListening = await context.database.listen(workChannel, () => loop.wake());
  const heartbeat = setInterval(() => {
    renewLeases(context).catch((error) =>
      context.log.warn({ err: error }, "leases of predictions were not renewed"),
    );
  }, leaseMs / 3);
  return {
    async stop() {
      clearInterval(heartbeat);
      stopListening();
      stopping.abort();
      await loop.stop();
    },
  };
}

/**
 * One step. A failure of ours or a passing one of the upstream is tried again until the deadline; a start whose outcome
 * is unknown is never repeated; anything else ends the prediction.
 */
async function step(context: Context, row: PredictionRow, signal: AbortSignal): Promise<number | null> {
  try {
    return await advance(context, row, signal);
  } catch (error) {
    if (signal.aborted) return 0;
    const upstream = upstreamError(error);
    const status = asApiError(error).status;
    const running = row.providerRef !== null;
    if (upstream === null && !(error instanceof ApiError)) return tryAgain(context, row, error, retryStepMs);
    if (running && status >= 500) return tryAgain(context, row, error, retryStepMs);
    if (!running && upstream?.started === "no" && (status >= 500 || status === 429)) {
      await updateLeased(context, row.id, { dispatchedAt: null });
      return tryAgain(context, row, error, Math.max(retryStepMs, upstream.retryAfterMs ?? 0));
    }
    const unknown = !running && upstream?.started === "unknown";
    const { code, message } = asApiError(error);
    await settle(context, row.id, {
      status: "failed",
      code: unknown ? "upstream_outcome_unknown" : code,
      message,
    });
    return null;
  }
}

function tryAgain(context: Context, row: PredictionRow, error: unknown, afterMs: number): number {
  context.log.warn({ err: error, prediction: row.id }, "a step of a prediction failed, will try again");
  return afterMs;
}

function upstreamError(error: unknown): ProviderError | null {
  const cause = error instanceof ApiError ? error.cause : error;
  return cause instanceof ProviderError ? cause : null;
}
