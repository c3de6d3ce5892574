import type { AuditAction } from "#contract/audit.ts";
import {
  type Batch,
  type BatchPick,
  type BatchResume,
  type BatchRetry,
  type BatchRowStatus,
  hasBatchEnded,
} from "#contract/batches.ts";
import { byCaller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { checkedBudgets } from "#gateway/billing/budgets/check.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, inArray, isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { batches, batchRows } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { batchChannel, deadlineFrom } from "./create.ts";
import { findBatch, readBatch } from "./read.ts";
import { stopRest, withBatch } from "./settle.ts";
import type { BatchRecord } from "./view.ts";

/** Lets running rows end and starts no others until the batch is resumed. Pausing twice changes nothing. */
export function pauseBatch(context: RunsContext, caller: Caller, id: string): Promise<Batch> {
  return change(context, caller, id, async (queries, batch) => {
    if (batch.status === "paused") return null;
    refuseEnded(batch);
    await queries
      .update(batches)
      .set({ status: "paused", reason: null, waitsUntil: null })
      .where(eq(batches.id, id));
    return { action: "batch.paused" };
  });
}

/**
 * Resumes a paused batch. Its remaining rows run as the caller, and with new budgets if the request names
 * any. Throws `person_rights_confirmation_required` while a waiting row needs the caller's confirmation.
 */
export function resumeBatch(
  context: RunsContext,
  caller: Caller,
  id: string,
  { budgets, person_rights_confirmed: isConfirmed }: BatchResume,
): Promise<Batch> {
  const checked = budgets && checkedBudgets(budgets, context.config.currency);
  return change(context, caller, id, async (queries, batch) => {
    if (batch.status === "running" && checked === undefined) return null;
    refuseEnded(batch);
    const covered = await assertConfirmed(context, queries, batch, isConfirmed);
    await queries
      .update(batches)
      .set({
        status: "running",
        reason: null,
        ...(checked !== undefined && { budgets: checked }),
        ...runsAs(context, caller),
      })
      .where(eq(batches.id, id));
    return { action: "batch.resumed", ...confirming(covered) };
  });
}

/** Cancels the waiting rows; running rows end normally. */
export function stopBatch(context: RunsContext, caller: Caller, id: string): Promise<Batch> {
  return change(context, caller, id, async (queries, batch) => {
    if (batch.status === "stopping" || hasBatchEnded(batch.status)) return null;
    await stopRest(queries, batch, null);
    return { action: "batch.stopped" };
  });
}

/**
 * Runs the failed rows again, and on request the canceled ones, as the caller. Changes nothing if there are
 * no such rows. Throws `batch_ended` while the batch is stopping, `payload_purged` when its inputs were
 * removed, and `person_rights_confirmation_required` for a row that the caller has to confirm.
 */
export function retryFailed(
  context: RunsContext,
  caller: Caller,
  id: string,
  { canceled = false, row, person_rights_confirmed: isConfirmed }: BatchRetry,
): Promise<Batch> {
  return change(context, caller, id, async (queries, batch) => {
    if (batch.status === "stopping") refuseEnded(batch);
    if (batch.dataRemovedAt)
      throw new ApiError(
        "payload_purged",
        "The inputs of this batch were removed. Start a new batch with the same inputs.",
      );
    const wanted: BatchRowStatus[] = canceled || row !== undefined ? ["failed", "canceled"] : ["failed"];
    const again = await queries
      .update(batchRows)
      .set({
        status: "queued",
        error: null,
        runId: null,
        predictionId: null,
        attempts: 0,
        nextCheckAt: sql`now()`,
        dispatchedAt: null,
        startedAt: null,
        completedAt: null,
      })
      .where(
        and(
          eq(batchRows.batchId, id),
          inArray(batchRows.status, wanted),
          // A line that could not be read has no input to run.
          isNotNull(batchRows.input),
          row === undefined ? undefined : eq(batchRows.row, row),
        ),
      )
      .returning({ row: batchRows.row });
    if (again.length === 0) return null;
    const covered = await assertConfirmed(context, queries, batch, isConfirmed);
    const isOver = hasBatchEnded(batch.status);
    await queries
      .update(batches)
      .set({
        ...runsAs(context, caller),
        ...(isOver && {
          status: "running" as const,
          reason: null,
          round: batch.round + 1,
          deadlineAt: deadlineFrom(clock.date(), batch),
          finishedAt: null,
          expiresAt: null,
        }),
      })
      .where(eq(batches.id, id));
    return { action: "batch.retried", ...confirming(covered) };
  });
}

function runsAs({ telemetry }: RunsContext, { actor }: Caller) {
  return {
    runsAsKeyId: actor.kind === "key" ? actor.id : null,
    runsAsUserId: actor.userId,
    traceParent: telemetry?.position() ?? null,
    waitsUntil: null,
  };
}

function refuseEnded({ status, id }: BatchRecord): void {
  if (status === "stopping")
    throw new ApiError("batch_ended", `${id} is stopping. Wait until its running rows have ended.`);
  if (hasBatchEnded(status)) throw new ApiError("batch_ended", `${id} has already ${status}.`);
}

/** Marks the best row of a comparison, or none. Throws `invalid_parameter` for an unknown row. */
export function pickRow(
  context: RunsContext,
  caller: Caller,
  id: string,
  { row }: BatchPick,
): Promise<Batch> {
  return change(context, caller, id, async (queries, batch) => {
    if (batch.pickedRow === row) return null;
    const [found] = await queries
      .select({ row: batchRows.row })
      .from(batchRows)
      .where(and(eq(batchRows.batchId, id), eq(batchRows.row, row ?? 0)));
    if (batch.kind !== "comparison" || (row !== null && !found))
      throw invalidParameter(
        "row",
        batch.kind === "comparison"
          ? `${id} has no row ${row}.`
          : `${id} is a table; only a row of a comparison can be picked.`,
      );
    await queries.update(batches).set({ pickedRow: row }).where(eq(batches.id, id));
    return { action: "batch.picked" };
  });
}

/** The audit entry of a change. */
interface Change {
  action: AuditAction;
  detail?: Record<string, unknown>;
}

/** The audit detail that lists the rows confirmed by this request. */
function confirming(rows: readonly number[]): Pick<Change, "detail"> {
  return rows.length > 0 ? { detail: { person_rights_confirmed_rows: rows } } : {};
}

/**
 * Changes the account's batch. If `work` changed something, its audit row is written in the same transaction.
 * Throws `batch_not_found`.
 */
async function change(
  context: RunsContext,
  caller: Caller,
  id: string,
  work: (queries: Queries, batch: BatchRecord) => Promise<Change | null>,
): Promise<Batch> {
  const { accountId } = caller.actor;
  await findBatch(context, accountId, id);
  await withBatch(
    context,
    and(eq(batches.id, id), eq(batches.accountId, accountId)),
    async (queries, batch) => {
      const made = await work(queries, batch);
      if (made) await recordAudit(queries, { ...byCaller(caller), ...made, targetId: id });
    },
  );
  context.database.notify(batchChannel);
  return readBatch(context, accountId, id);
}

/**
 * The person who starts a batch confirms its rows. A person who later lets waiting rows run becomes
 * responsible for them and must confirm them again. Returns the numbers of the rows that this confirmation
 * covers. Throws `person_rights_confirmation_required`, which lists these rows.
 */
async function assertConfirmed(
  { catalog }: Pick<RunsContext, "catalog">,
  queries: Queries,
  { id, accountId }: BatchRecord,
  isConfirmed = false,
): Promise<number[]> {
  const waiting = await queries
    .select({ row: batchRows.row, model: batchRows.model })
    .from(batchRows)
    .where(and(eq(batchRows.batchId, id), eq(batchRows.status, "queued")))
    .orderBy(asc(batchRows.row));
  const covered = waiting.filter(
    ({ model }) =>
      catalog.model(model, accountId)?.safety_requirements.per_request_person_rights_confirmation_required,
  );
  if (covered.length === 0 || isConfirmed) return covered.map(({ row }) => row);
  const param = "person_rights_confirmed";
  const details = covered.map(({ row, model }) => ({
    path: `/${param}`,
    keyword: "row",
    message: `Row ${row} runs ${model}.`,
  }));
  throw new ApiError(
    "person_rights_confirmation_required",
    `Confirm again that every identifiable person in ${covered.length === 1 ? "this row" : "these rows"} is you or has authorized it: ${param} must be true. ${details.map(({ message }) => message).join(" ")}`,
    { param, details },
  );
}
