import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { type Lease, startLeasedLoop } from "#gateway/platform/core/leased-loop.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/unavailable.ts";
import type { Progress } from "#gateway/runs/operations/leased-run.ts";
import { NoRoomError } from "#gateway/runs/operations/take-room.ts";
import { predictionChannel } from "#gateway/runs/predictions/changes.ts";
import { retryUntilSaved } from "#gateway/runs/predictions/retry-until-saved.ts";
import { type Claimed, claimRows, keyOf, renewLeases, takeOver } from "./claim.ts";
import { batchChannel } from "./create.ts";
import { endFailedRow, recoverRow } from "./failed-row.ts";
import { followPredictions } from "./follow.ts";
import { runRow } from "./run-row.ts";

/** Rows that run or start at once per process. */
const slots = 32;
const backstopMs = 1_000;
/** Predictions change often: their ends are looked for this long after the first change. */
const followAfterMs = 100;

/** Runs the rows of batches, and ends those whose predictions have ended. */
export async function startBatchWorker(context: Context): Promise<{ stop(): Promise<void> }> {
  const loop = startLeasedLoop<Claimed & { isTakenOver: boolean }>(context, {
    name: "batches",
    slots,
    pollMs: backstopMs,
    isPassing: isDatabaseUnavailable,
    keyOf: ({ row }) => keyOf(row),
    accountOf: ({ batch }) => batch.accountId,
    async claim(limit, inHand, busy) {
      const taken = await takeOver(context, inHand.keys());
      const claimed = await claimRows(context, { limit, busy });
      return [
        ...taken.map((job) => ({ ...job, isTakenOver: true })),
        ...claimed.map((job) => ({ ...job, isTakenOver: false })),
      ];
    },
    async run({ isTakenOver, ...job }, lease) {
      const { telemetry } = context;
      const run = async () => {
        if (isTakenOver) await recoverRow(context, job);
        else loop.wakeIn(await step(context, job, lease));
      };
      await (telemetry ? telemetry.resume(job.batch.traceParent, run) : run());
    },
    renew: (inHand) => renewLeases(context, inHand),
  });
  const follower = startFollower(context, () => loop.wake());
  const stopListening = await context.database.listen(batchChannel, () => loop.wake());
  const stopHearing = await context.database.listen(predictionChannel, () => follower.soon());
  return {
    async stop() {
      stopListening();
      stopHearing();
      await Promise.all([loop.stop(), follower.stop()]);
    },
  };
}

/** Runs a row; after how many milliseconds its batch may have room for it. */
async function step(context: Context, claimed: Claimed, lease: Lease): Promise<number> {
  const progress: Progress = { isDispatched: false };
  try {
    await runRow(context, claimed, progress, lease);
    return 0;
  } catch (error) {
    const { batch, row } = claimed;
    const { signal } = lease;
    const log = context.log.child({ batch: batch.id, row: row.row });
    const deadline = new Date(clock.now() + context.config.predictionDeadlineMs);
    // That the upstream failed or did not start is an answer too, which only this process has.
    await retryUntilSaved({ log, signal }, deadline, () =>
      endFailedRow(context, claimed, error, progress, lease),
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
