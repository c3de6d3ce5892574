import type { BillingUnit, RegionName } from "#contract/catalog.ts";
import type { Reached } from "#gateway/billing/budgets/book.ts";
import { type KeptCharge, nothingBilled } from "#gateway/billing/prices/cost-view.ts";
import type { RunUsage } from "#gateway/billing/usage/lines.ts";
import { recordUsage } from "#gateway/billing/usage/record.ts";
import type { Context } from "#gateway/context.ts";
import { announceReached, emitReached } from "#gateway/events/webhooks/budget-events.ts";
import type { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { instanceId } from "#gateway/platform/core/instance.ts";
import { and, eq, type SQL } from "#gateway/platform/database/drizzle.ts";
import { fromNow } from "#gateway/platform/database/free-leases.ts";
import { batches, batchRows } from "#gateway/platform/database/schema.ts";
import { addFigures } from "#gateway/platform/figures/add.ts";
import type { FigureSums } from "#gateway/platform/figures/sums.ts";
import type { UnattendedRun } from "#gateway/runs/operations/run-figures.ts";
import type { Claimed } from "./claim.ts";
import { apiTypeOf, type RowRecord } from "./read.ts";
import { endOfStopped, stopRest, withBatch } from "./with-batch.ts";

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
  context: Context,
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

function valuesOf(outcome: RowOutcome): RowValues {
  if (outcome.status !== "succeeded") return { ...nothingBilled, ...outcome };
  const { unit, quantity, ...values } = outcome;
  return { ...values, error: null, usageUnit: unit, usageQuantity: quantity };
}

/** Returns a leased row that did not start to the queue; the whole batch waits for `batchWaitMs`. */
export async function putBack(
  context: Context,
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

/** Returns a leased row to the queue and pauses its batch until somebody resumes it. */
export async function pauseFor(context: Context, key: RowKey, reason: ApiError): Promise<void> {
  await putBack(context, key);
  await withBatch(context, eq(batches.id, key.batchId), async (queries, { status }) => {
    if (status !== "running") return;
    const { code, message } = reason;
    await queries
      .update(batches)
      .set({ status: "paused", reason: { code, message }, waitsUntil: null })
      .where(eq(batches.id, key.batchId));
  });
}

/** Returns a leased row to the queue and stops its batch: all waiting rows fail with the reason. */
export async function stopFor(context: Context, key: RowKey, reason: ApiError): Promise<void> {
  await putBack(context, key);
  await withBatch(context, eq(batches.id, key.batchId), async (queries, batch) => {
    if (batch.status === "running" || batch.status === "paused") await stopRest(queries, batch, reason);
  });
}
