import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/core/clock.ts";
import { leaseMs } from "#gateway/core/instance.ts";
import { startSlotLoop } from "#gateway/core/slot-loop.ts";
import { isDatabaseUnavailable } from "#gateway/database/unavailable.ts";
import { predictionChannel } from "#gateway/predictions/changes.ts";
import { retryUntilSaved } from "#gateway/predictions/retry-until-saved.ts";
import { type Claimed, claimRows, keyOf, renewLeases, takeOver } from "./claim.ts";
import { batchChannel } from "./create.ts";
import { afterFailure, recoverRow } from "./failed-row.ts";
import { followPredictions } from "./follow.ts";
import { type Progress, runRow } from "./run-row.ts";
import { NoRoomError } from "./take-room.ts";

/** Rows that run or start at once per process. */
const slots = 32;
const backstopMs = 1_000;
/** Predictions change often: their ends are looked for this long after the first change. */
const followAfterMs = 100;

/** Runs the rows of batches, and ends those whose predictions have ended. */
export async function startBatchWorker(context: Context): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const inHand = new Map<string, Progress>();
  /** Rows under way per account. */
  const held = new Map<string, number>();
  const loop = startSlotLoop<Claimed & { isTakenOver: boolean }>({
    name: "batches",
    log: context.log,
    slots,
    pollMs: backstopMs,
    isPassing: isDatabaseUnavailable,
    async claim(limit) {
      const taken = await takeOver(context, inHand.keys());
      const claimed = await claimRows(context, { limit, held });
      return [
        ...taken.map((job) => ({ ...job, isTakenOver: true })),
        ...claimed.map((job) => ({ ...job, isTakenOver: false })),
      ];
    },
    async run({ batch, row, isTakenOver }) {
      const key = keyOf(row);
      const { accountId } = batch;
      const progress: Progress = { isDispatched: false, isSoleHolder: false };
      inHand.set(key, progress);
      held.set(accountId, (held.get(accountId) ?? 0) + 1);
      try {
        if (isTakenOver) await recoverRow(context, { batch, row });
        else loop.wakeIn(await step(context, { batch, row }, progress, stopping.signal));
      } finally {
        inHand.delete(key);
        const left = (held.get(accountId) ?? 1) - 1;
        if (left === 0) held.delete(accountId);
        else held.set(accountId, left);
      }
    },
  });
  const follower = startFollower(context, () => loop.wake());
  const stopListening = await context.database.listen(batchChannel, () => loop.wake());
  const stopHearing = await context.database.listen(predictionChannel, () => follower.soon());
  const heartbeat = setInterval(() => {
    if (inHand.size > 0)
      renewLeases(context, inHand).catch((error) =>
        context.log.warn({ err: error }, "leases of batch rows could not be renewed"),
      );
  }, leaseMs / 3);
  return {
    async stop() {
      stopListening();
      stopHearing();
      // Until then running rows may finish: an interrupted one has an unknown outcome.
      const stopWaiting = context.drain.onEnd(() => stopping.abort());
      await Promise.all([loop.stop(), follower.stop()]);
      clearInterval(heartbeat);
      stopWaiting();
    },
  };
}

/** Runs a row; after how many milliseconds its batch may have room for it. */
async function step(
  context: Context,
  claimed: Claimed,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  try {
    await runRow(context, claimed, progress, signal);
    return 0;
  } catch (error) {
    const { batch, row } = claimed;
    const log = context.log.child({ batch: batch.id, row: row.row });
    const deadline = new Date(clock.now() + context.config.predictionDeadlineMs);
    // That the upstream failed or did not start is an answer too, which only this process has.
    await retryUntilSaved({ log, signal }, deadline, () =>
      afterFailure(context, claimed, error, progress, signal),
    );
    return error instanceof NoRoomError ? error.waitMs : 0;
  }
}

/** Looks for ended predictions of batches each second, and soon after one has changed. */
function startFollower(context: Context, followed: () => void) {
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;
  const look = async (): Promise<void> => {
    try {
      while (!isStopped && (await followPredictions(context)));
      followed();
    } catch (error) {
      context.log.warn({ err: error }, "ended predictions of batches could not be read, will retry");
    }
  };
  const soon = (): void => {
    if (isStopped || timer || running) return;
    timer = setTimeout(() => {
      timer = null;
      running = look().finally(() => {
        running = null;
      });
    }, followAfterMs);
  };
  const backstop = setInterval(soon, backstopMs);
  return {
    soon,
    async stop() {
      isStopped = true;
      clearInterval(backstop);
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
