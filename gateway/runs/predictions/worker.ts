import { StoreFullError } from "#gateway/files/storage/store-room.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { fairShare } from "#gateway/platform/core/fair-queue.ts";
import { type Lease, startLeasedLoop } from "#gateway/platform/core/leased-loop.ts";
import { type ProviderError, upstreamErrorOf } from "#gateway/platform/core/provider-error.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/failed-query.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { asApiError } from "#gateway/runs/operations/dispatch.ts";
import { retryUntilSaved } from "../operations/unattended-run.ts";
import { workChannel } from "./accept.ts";
import { advance, type Held } from "./advance.ts";
import { stopCanceled } from "./cancel.ts";
import { leaseDue, ordinaryLease, release, renewLeases, updateLeased } from "./lease.ts";
import { settle } from "./settle.ts";
import type { PredictionRow } from "./view.ts";

/** Concurrent steps per process; a run is between steps most of the time. */
const slots = 16;
const backstopMs = 1_000;
/** The wait after a step that failed for an internal or temporary reason; grows with the run's age. */
const retryMs = { min: 3_000, max: 60_000, agePart: 10 } as const;

export interface PredictionWorkerOptions {
  /** Multiplies the wait for a run's next step; smaller in tests. */
  waitFactor?: number;
}

/** Runs predictions. The row is the job: leased, renewed, and taken over when its worker dies. */
export async function startPredictionWorker(
  context: RunsContext,
  { waitFactor = 1 }: PredictionWorkerOptions = {},
): Promise<{ stop(): Promise<void> }> {
  let lastAccount = "";
  const releaseFor = async (id: string, ms: number): Promise<void> => {
    await release(context, id, ms * waitFactor);
    loop.wakeIn(ms * waitFactor);
  };
  const loop = startLeasedLoop<PredictionRow>(context, {
    name: "predictions",
    slots,
    pollMs: backstopMs,
    isPassing: isDatabaseUnavailable,
    keyOf: ({ id }) => id,
    accountOf: ({ accountId }) => accountId,
    async claim(limit, inHand, busy) {
      const accountRooms = new Map([...busy].map(([id, count]) => [id, fairShare(limit, count)]));
      const rows = await leaseDue(context, { limit, inHand, accountRooms, afterAccount: lastAccount });
      lastAccount = rows.at(-1)?.accountId ?? lastAccount;
      return rows;
    },
    async run(row, lease) {
      const { telemetry } = context;
      const inTrace = <Result>(work: () => Result) =>
        telemetry ? telemetry.resume(row.traceParent, work) : work();
      const next = await inTrace(() => step(context, row, lease));
      if (typeof next === "number") return releaseFor(row.id, next);
      return next ? () => inTrace(() => endHeld(context, next, releaseFor, lease.signal)) : undefined;
    },
    renew: (inHand) => renewLeases(context, inHand),
  });
  const stopListening = await context.database.listen(workChannel, () => loop.wake());
  const stopHearing = await stopCanceled(context);
  return {
    async stop() {
      stopListening();
      stopHearing();
      await loop.stop();
    },
  };
}

/** A held run with a temporary failure is released; the next step finds that its result is lost. */
async function endHeld(
  context: RunsContext,
  { row, finish }: Held,
  releaseFor: (id: string, ms: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const nextMs = await finish();
    if (nextMs !== null) await releaseFor(row.id, nextMs);
  } catch (error) {
    const nextMs = await afterFailure(context, row, error, signal).catch((worse: unknown) => {
      context.log.error({ err: worse, prediction: row.id }, "a held prediction could not be ended");
      return retryMs.min;
    });
    if (nextMs !== null) await releaseFor(row.id, nextMs).catch(() => undefined);
  }
}

async function step(context: RunsContext, row: PredictionRow, lease: Lease): Promise<number | null | Held> {
  try {
    return await advance(context, row, lease);
  } catch (error) {
    return afterFailure(context, row, error, lease.signal);
  }
}

/**
 * Decides after a failed step. Internal and temporary upstream failures are retried until the deadline; a
 * start with an unknown outcome is never repeated; any other failure ends the prediction.
 */
async function afterFailure(
  context: RunsContext,
  row: PredictionRow,
  error: unknown,
  signal: AbortSignal,
): Promise<number | null> {
  if (signal.aborted) return 0;
  const upstream = upstreamErrorOf(error);
  const { status, code, message } = asApiError(error);
  const running = row.providerRef !== null;
  const passing = (status >= 500 || status === 429) && !upstream?.final;
  // Only this process knows of the failure, so writing it is repeated like writing a result.
  const save = <Result>(work: () => Promise<Result>) =>
    retryUntilSaved({ log: context.log.child({ prediction: row.id }), signal }, row.deadlineAt, work);
  if (upstream === null && !(error instanceof ApiError)) return tryAgain(context, row, error);
  // Nothing was sent yet, because there is no room for its files.
  if (!running && error instanceof StoreFullError) {
    context.storeRoom.full(error);
    return tryAgain(context, row, error);
  }
  // A full store is excluded: the step has already waited for room until the deadline.
  if (running && passing && !(error instanceof StoreFullError))
    return tryAgain(context, row, error, upstream);
  // A rejected key or an unknown name (upstream_error) is not temporary.
  if (!running && passing && upstream?.started === "no" && code !== "upstream_error") {
    const timeline = row.timeline.filter(({ event }) => event !== "started");
    const notStarted = { dispatchedAt: null, startedAt: null, timeline };
    await save(() => updateLeased(context, row.id, { ...notStarted, ...ordinaryLease }));
    return tryAgain(context, row, error, upstream);
  }
  const unknown = !running && upstream?.started === "unknown";
  await save(() =>
    settle(context, row.id, {
      status: "failed",
      code: unknown ? "upstream_outcome_unknown" : code,
      message: unknown ? `${message} Whether it ran is unknown, so it was not sent again.` : message,
    }),
  );
  return null;
}

function tryAgain(
  context: RunsContext,
  row: PredictionRow,
  error: unknown,
  upstream: ProviderError | null = null,
): number {
  context.log.warn({ err: error, prediction: row.id }, "a step of a prediction failed, will retry");
  const ageMs = clock.now() - (row.startedAt ?? row.createdAt).getTime();
  const waitMs = Math.min(retryMs.max, Math.max(retryMs.min, ageMs / retryMs.agePart));
  return Math.max(waitMs, upstream?.retryAfterMs ?? 0);
}
