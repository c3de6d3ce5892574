import type { BillingUnit, RegionName } from "#contract/catalog.ts";
import type { ErrorCode } from "#contract/error.ts";
import { keptCharge } from "#gateway/billing/prices/price-lines.ts";
import { everyone } from "#gateway/models/catalog/entry.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { type Lease, startLeasedLoop } from "#gateway/platform/core/leased-loop.ts";
import { and, eq, inArray, type SQL } from "#gateway/platform/database/drizzle.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/failed-query.ts";
import { batchRows, predictions } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import {
  afterFailure,
  figuresOfFailure,
  NoRoomError,
  outcomeUnknown,
  retryUntilSaved,
  TakenOverError,
} from "#gateway/runs/operations/unattended-run.ts";
import { predictionChannel } from "#gateway/runs/predictions/changes.ts";
import { type Claimed, claimRows, keyOf, renewLeases, takeOver } from "./claim.ts";
import { batchChannel } from "./create.ts";
import { apiTypeOf, errorOf, type RowRecord } from "./read.ts";
import { type RowProgress, runRow } from "./run-row.ts";
import { isLeased, pauseFor, putBack, type RowOutcome, runOf, settleRow, stopFor } from "./settle.ts";

/** Rows that one process runs or starts at once. */
const slots = 32;
const backstopMs = 1_000;
/**
 * Predictions change often, so the worker waits this long after the first change before it looks for ended
 * ones.
 */
const followAfterMs = 100;

/** Runs the rows of batches, and ends rows whose predictions have ended. */
export async function startBatchWorker(context: RunsContext): Promise<{ stop(): Promise<void> }> {
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

/** Runs a row. If the limits leave no room for the row, returns how long to wait (ms); otherwise 0. */
async function step(context: RunsContext, claimed: Claimed, lease: Lease): Promise<number> {
  const progress: RowProgress = { isDispatched: false, ran: null };
  try {
    await runRow(context, claimed, progress, lease);
    return 0;
  } catch (error) {
    const { batch, row } = claimed;
    const { signal } = lease;
    const log = context.log.child({ batch: batch.id, row: row.row });
    const deadline = new Date(clock.now() + context.config.predictionDeadlineMs);
    // Only this process knows of the failure, so writing it is repeated like writing a result.
    await retryUntilSaved({ log, signal }, deadline, () =>
      endFailedRow(context, claimed, error, progress, lease),
    );
    return error instanceof NoRoomError ? error.waitMs : 0;
  }
}

/** Looks for ended predictions of batches every second, and soon after one has changed. */
function startFollower(context: RunsContext, followed: () => void) {
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

/** Errors that stop the batch: its owner is no longer allowed to run it, so no other row could run either. */
const stopping = new Set<ErrorCode>([
  "revoked_api_key",
  "expired_api_key",
  "member_not_found",
  "second_factor_required",
  "role_not_allowed",
  "insufficient_scope",
  "user_session_required",
  "account_closing",
  "model_not_allowed",
  "adult_attestation_required",
  "portrait_rights_attestation_required",
]);
/** In a comparison each row has its own model, so a refusal by one model does not stop the others. */
const ofOneModel = new Set<ErrorCode>([
  "model_not_allowed",
  "adult_attestation_required",
  "portrait_rights_attestation_required",
]);
/** Errors that pause the batch until somebody fixes the cause and resumes it. */
const pausing = new Set<ErrorCode>([
  "budget_exceeded",
  "not_priced",
  "storage_limit_exceeded",
  "account_suspended",
]);

/** Decides what happens to a row that could not start or has failed. */
async function endFailedRow(
  context: RunsContext,
  { batch, row }: Claimed,
  error: unknown,
  progress: RowProgress,
  lease: Lease,
): Promise<void> {
  if (error instanceof TakenOverError) return;
  if (error instanceof NoRoomError) return putBack(context, row, { batchWaitMs: error.waitMs });
  if (error instanceof ApiError && stopsAll(batch, error)) return stopFor(context, row, error);
  if (error instanceof ApiError && pausing.has(error.code)) return pauseFor(context, row, error);
  const after = afterFailure(error, progress, row.attempts, lease);
  if (after.next === "leave") return;
  if (after.next === "try again") {
    const { afterMs, attempts } = after;
    context.log.info({ batch: batch.id, row: row.row, err: error }, "a row did not start, will retry");
    return putBack(context, row, { afterMs, attempts });
  }
  if (!(error instanceof ApiError))
    context.log.error({ err: error, batch: batch.id, row: row.row }, "a row failed unexpectedly");
  const { failure, mayHaveRun } = after;
  const shown = mayHaveRun ? outcomeUnknown(failure.message) : failure;
  const figures = figuresOfFailure(runOf({ batch, row }), shown.code);
  const used = progress.ran;
  const charge = used && keptCharge(used.usage.priced);
  const outcome = { status: "failed", error: errorOf(shown), ...charge } as const;
  await settleRow(context, row, isLeased(row), outcome, used, figures);
}

function stopsAll({ kind }: Claimed["batch"], { code }: ApiError): boolean {
  return stopping.has(code) && !(kind === "comparison" && ofOneModel.has(code));
}

/**
 * Ends a row whose process died after calling the upstream; returns a row to the queue if the upstream was
 * not called.
 */
async function recoverRow(context: RunsContext, { batch, row }: Claimed): Promise<void> {
  const compiled = context.catalog.operation(row.model, apiTypeOf(batch, row), everyone);
  const [provider] =
    compiled && row.svcRegion
      ? context.providers.route(compiled.model, compiled.operation, row.svcRegion)
      : [];
  if (row.dispatchedAt === null || provider?.restartable) return putBack(context, row);
  const error = outcomeUnknown(
    "The gateway stopped while it was running this row, so whether it ran is unknown.",
  );
  const figures = figuresOfFailure(runOf({ batch, row }), error.code);
  await settleRow(context, row, isLeased(row), { status: "failed", error: errorOf(error) }, null, figures);
}

const atOnce = 100;

/**
 * Ends the rows whose predictions have ended. Safe in several processes at once. Returns true when more may
 * be left.
 */
async function followPredictions(context: RunsContext): Promise<boolean> {
  const ended = await context.database.queries
    .select({ row: batchRows, prediction: predictions })
    .from(batchRows)
    .innerJoin(predictions, eq(predictions.id, batchRows.predictionId))
    .where(
      and(eq(batchRows.status, "running"), inArray(predictions.status, ["succeeded", "failed", "canceled"])),
    )
    .limit(atOnce);
  for (const { row, prediction } of ended)
    await settleRow(context, row, isFollowed(row), outcomeOf(prediction));
  return ended.length === atOnce;
}

function isFollowed({ batchId, row, predictionId }: RowRecord): SQL | undefined {
  return and(
    eq(batchRows.batchId, batchId),
    eq(batchRows.row, row),
    eq(batchRows.status, "running"),
    eq(batchRows.predictionId, predictionId ?? ""),
  );
}

/** How a row ended whose prediction has ended. The usage is counted with the prediction, not here. */
function outcomeOf(prediction: typeof predictions.$inferSelect): RowOutcome {
  const { status, error, outputs, expiresAt, completedAt, sandbox, charge, chargeReason } = prediction;
  if (status === "canceled") return { status, error: null, charge, chargeReason };
  if (status !== "succeeded") return { status: "failed", error, charge, chargeReason };
  return {
    status,
    output: null,
    files: outputs,
    expiresAt: expiresAt ?? completedAt ?? prediction.createdAt,
    unit: prediction.usageUnit as BillingUnit,
    quantity: prediction.usageQuantity ?? 0,
    svcRegion: prediction.svcRegion as RegionName,
    sandbox,
    charge,
    chargeReason,
  };
}
