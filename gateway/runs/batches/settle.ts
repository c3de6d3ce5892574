import { hasBatchEnded } from "#contract/batches.ts";
import type { BillingUnit, RegionName } from "#contract/catalog.ts";
import type { Reached } from "#gateway/billing/budgets/book.ts";
import { type KeptCharge, nothingBilled } from "#gateway/billing/prices/price-lines.ts";
import type { RunUsage } from "#gateway/billing/usage/lines.ts";
import { recordUsage } from "#gateway/billing/usage/record.ts";
import { emitCallback } from "#gateway/events/webhooks/callbacks.ts";
import { deliveriesChannel, emitEvent, eventsChannel } from "#gateway/events/webhooks/events.ts";
import { announceReached, emitReached } from "#gateway/events/webhooks/news.ts";
import type { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { instanceId } from "#gateway/platform/core/leased-loop.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, eq, inArray, isNull, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { fromNow } from "#gateway/platform/database/free-leases.ts";
import { batches, batchRows } from "#gateway/platform/database/schema.ts";
import { addFigures, type FigureSums } from "#gateway/platform/figures/sums.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { UnattendedRun } from "#gateway/runs/operations/unattended-run.ts";
import type { Claimed } from "./claim.ts";
import { apiTypeOf, errorOf, type RowRecord, viewOf } from "./read.ts";
import type { BatchRecord } from "./view.ts";

type RowKey = Pick<RowRecord, "batchId" | "row">;

type RowValues = Partial<typeof batchRows.$inferInsert>;

/** How a row ended. */
export type RowOutcome =
  | ({
      status: "succeeded";
      output: RowRecord["output"];
      files: RowRecord["files"];
      expiresAt: Date;
      unit: BillingUnit;
      quantity: number;
      svcRegion: RegionName;
      sandbox: boolean;
    } & KeptCharge)
  | ({ status: "failed" | "canceled"; error: RowRecord["error"] } & Partial<KeptCharge>);

const notLeased = { leaseOwner: null, leaseExpiresAt: null } as const;

/** Matches the row while this process holds its lease. */
export function isLeased({ batchId, row }: RowKey): SQL | undefined {
  return and(
    eq(batchRows.batchId, batchId),
    eq(batchRows.row, row),
    eq(batchRows.status, "running"),
    eq(batchRows.leaseOwner, instanceId),
  );
}

/** The usage of a row that no prediction meters, and the money reserved for it, if any. */
export interface RowUsage {
  usage: RunUsage;
  reservedCost: string | null;
}

/** The row in the form that usage statistics count. */
export function runOf({ batch, row }: Claimed): UnattendedRun {
  const { accountId, runsAsKeyId: keyId, runsAsUserId: userId } = batch;
  return { accountId, keyId, userId, model: row.model, operation: apiTypeOf(batch, row) };
}

/**
 * Ends a row if this process still holds its lease. Adds usage and statistics if they are given: those of a
 * prediction are counted with the prediction. Returns false if another process has taken over the row.
 */
export async function settleRow(
  context: RunsContext,
  key: RowKey,
  mine: SQL | undefined,
  outcome: RowOutcome,
  used: RowUsage | null = null,
  figures: FigureSums | null = null,
): Promise<boolean> {
  let reached: Reached[] = [];
  const settled = await withBatch(context, eq(batches.id, key.batchId), async (queries) => {
    const changed = await queries
      .update(batchRows)
      .set({ ...notLeased, completedAt: clock.date(), ...valuesOf(outcome) })
      .where(mine)
      .returning({ row: batchRows.row });
    if (changed.length > 0 && used) {
      const { usage, reservedCost } = used;
      const reserved = [usage.runId];
      reached = await recordUsage(queries, [usage], {
        reserved,
        ...(reservedCost !== null && { reservedMoney: reserved }),
      });
      await emitReached(queries, reached, context.config.retentionMs);
    }
    if (changed.length > 0 && figures) await addFigures(queries, figures);
    return changed.length > 0;
  });
  announceReached(context.database, reached);
  return settled ?? false;
}

/**
 * Changes a batch or its rows under the batch's lock. When no row runs or waits any more, the batch ends: its
 * last status and its event are written in the same transaction. Returns null if there is no such batch.
 */
export async function withBatch<Result>(
  context: RunsContext,
  where: SQL | undefined,
  work: (queries: Queries, batch: BatchRecord) => Promise<Result>,
): Promise<Result | null> {
  const done = await context.database.transaction(async (queries) => {
    const [batch] = await queries.select().from(batches).where(where).for("update");
    if (!batch) return null;
    const result = await work(queries, batch);
    const ended = await endIfDone(context, queries, batch.id);
    return { result, accountId: batch.accountId, hasEnded: ended !== null };
  });
  if (!done) return null;
  if (done.hasEnded) announceEnd(context, done.accountId);
  return done.result;
}

/** Lets the event of an ended batch be delivered at once; call it after the transaction. */
export function announceEnd({ database }: Pick<RunsContext, "database">, accountId: string): void {
  database.notify(deliveriesChannel);
  database.notify(eventsChannel, accountId);
}

/** Ends the batch if none of its rows runs or waits any more; null if it continues, or had ended before. */
export async function endIfDone(
  context: RunsContext,
  queries: Queries,
  id: string,
): Promise<BatchRecord | null> {
  const [left] = await queries
    .select({ row: batchRows.row })
    .from(batchRows)
    .where(and(eq(batchRows.batchId, id), inArray(batchRows.status, ["queued", "running"])))
    .limit(1);
  if (left) return null;
  const [batch] = await queries.select().from(batches).where(eq(batches.id, id));
  if (!batch || hasBatchEnded(batch.status)) return null;
  const finishedAt = clock.date();
  const expiresAt = new Date(finishedAt.getTime() + context.retention.of(batch.accountId));
  const status = batch.status === "stopping" ? "stopped" : "finished";
  const [ended] = await queries
    .update(batches)
    .set({ status, finishedAt, expiresAt, waitsUntil: null, storedBytes: bytesOfRows(id) })
    .where(eq(batches.id, id))
    .returning();
  if (!ended) return null;
  if (ended.openAi) await keepUntil(queries, id, expiresAt);
  const event = {
    ...{ accountId: batch.accountId, type: "batch.finished" as const, traceParent: batch.traceParent },
    object: await viewOf(context, queries, ended),
    retentionUntil: expiresAt,
  };
  await emitEvent(queries, {
    ...event,
    subject: { batchId: id },
    source: { model: batch.model, keyId: batch.keyId },
    once: `${id} finished ${batch.round}`,
  });
  await emitCallback(context, queries, {
    ...event,
    ...{ subjectId: id, predictionId: null, models: [], event: "completed" },
    object: () => event.object,
    once: `${id} callback ${batch.round}`,
    // The callback stays, because a retried batch ends again.
    isLast: false,
  });
  const [sums] = await queries
    .select({
      rows: count(),
      succeeded: sql<number>`count(*) filter (where ${batchRows.status} = 'succeeded')::int`,
      failed: sql<number>`count(*) filter (where ${batchRows.status} = 'failed')::int`,
    })
    .from(batchRows)
    .where(eq(batchRows.batchId, id));
  await recordCause(queries, {
    cause: "batch.finished",
    accountId: batch.accountId,
    userId: batch.userId,
    subjectId: id,
    data: {
      name: batch.name ?? id,
      status,
      rows: sums?.rows ?? 0,
      succeeded: sums?.succeeded ?? 0,
      failed: sums?.failed ?? 0,
    },
  });
  context.log.info({ batch: id, status }, "batch ended");
  return ended;
}

/** The size of all inputs and outputs in the database. */
function bytesOfRows(batchId: string): SQL {
  return sql`(select coalesce(sum(coalesce(octet_length(input::text), 0) + coalesce(octet_length(output::text), 0)), 0)
    from ${batchRows} where batch_id = ${batchId})`;
}

/**
 * The output file for OpenAI's clients is complete until the batch's data is removed; media files have their
 * own expiry.
 */
async function keepUntil(queries: Queries, id: string, expiresAt: Date): Promise<void> {
  await queries
    .update(batchRows)
    .set({ expiresAt })
    .where(
      and(
        eq(batchRows.batchId, id),
        eq(batchRows.status, "succeeded"),
        isNull(batchRows.files),
        isNull(batchRows.dataRemovedAt),
      ),
    );
}

function valuesOf(outcome: RowOutcome): RowValues {
  if (outcome.status !== "succeeded") return { ...nothingBilled, ...outcome };
  const { unit, quantity, ...values } = outcome;
  return { ...values, error: null, usageUnit: unit, usageQuantity: quantity };
}

/** Returns a leased row that did not start to the queue; the whole batch waits for `batchWaitMs`. */
export async function putBack(
  context: RunsContext,
  key: RowKey,
  { afterMs = 0, attempts, batchWaitMs }: { afterMs?: number; attempts?: number; batchWaitMs?: number } = {},
): Promise<void> {
  await withBatch(context, eq(batches.id, key.batchId), async (queries, { status, reason }) => {
    const values: RowValues =
      status === "stopping"
        ? { ...endOfStopped(reason), completedAt: clock.date() }
        : { status: "queued", startedAt: null, ...(attempts !== undefined && { attempts }) };
    await queries
      .update(batchRows)
      .set({ ...notLeased, ...values, dispatchedAt: null, nextCheckAt: fromNow(afterMs) })
      .where(isLeased(key));
    if (batchWaitMs !== undefined)
      await queries
        .update(batches)
        .set({ waitsUntil: fromNow(batchWaitMs) })
        .where(eq(batches.id, key.batchId));
  });
}

/** The end state of rows that had not run when their batch was stopped. */
function endOfStopped(reason: BatchRecord["reason"]) {
  return reason
    ? { status: "failed" as const, error: errorOf(reason) }
    : { status: "canceled" as const, error: null };
}

/** When a batch tries again whose own running rows have reserved what is left of a budget. */
const reservationWaitMs = 2_000;

/**
 * Returns a leased row to the queue and pauses its batch until somebody resumes it. If a budget refused it
 * beside other rows of the batch, which release what they do not use, the batch waits for them instead.
 */
export async function pauseFor(
  context: RunsContext,
  key: RowKey & Pick<RowRecord, "startedAt">,
  reason: ApiError,
): Promise<void> {
  const { code, message } = reason;
  await putBack(context, key, { afterMs: code === "budget_exceeded" ? reservationWaitMs : 0 });
  await withBatch(context, eq(batches.id, key.batchId), async (queries, { status }) => {
    if (status !== "running") return;
    const waits = code === "budget_exceeded" && (await ranBeside(queries, key));
    await queries
      .update(batches)
      .set(
        waits
          ? { waitsUntil: fromNow(reservationWaitMs) }
          : { status: "paused", reason: { code, message }, waitsUntil: null },
      )
      .where(eq(batches.id, key.batchId));
  });
}

/** Whether another row of the batch runs, or has ended since this one started. */
async function ranBeside(
  queries: Queries,
  { batchId, row, startedAt }: Parameters<typeof pauseFor>[1],
): Promise<boolean> {
  const { rows } = await queries.execute(sql`select from ${batchRows} where batch_id = ${batchId}
    and row <> ${row} and (status = 'running' or completed_at >= ${startedAt}) limit 1`);
  return rows.length > 0;
}

/** Returns a leased row to the queue and stops its batch: all waiting rows fail with the reason. */
export async function stopFor(context: RunsContext, key: RowKey, reason: ApiError): Promise<void> {
  await putBack(context, key);
  await withBatch(context, eq(batches.id, key.batchId), async (queries, batch) => {
    if (batch.status === "running" || batch.status === "paused") await stopRest(queries, batch, reason);
  });
}

/** Stops a batch: no further row starts. Waiting rows are canceled, or fail if the gateway gives a reason. */
export async function stopRest(queries: Queries, batch: BatchRecord, reason: ApiError | null): Promise<void> {
  await queries
    .update(batches)
    .set({
      status: "stopping",
      reason: reason && { code: reason.code, message: reason.message },
      waitsUntil: null,
    })
    .where(eq(batches.id, batch.id));
  await queries
    .update(batchRows)
    .set({
      ...endOfStopped(reason),
      completedAt: clock.date(),
    })
    .where(and(eq(batchRows.batchId, batch.id), eq(batchRows.status, "queued")));
}
