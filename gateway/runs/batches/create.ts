import { type Batch, type BatchCreate, batchLimits } from "#contract/batches.ts";
import { newId } from "#contract/ids.ts";
import { byCaller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { checkedBudgets } from "#gateway/billing/budgets/check.ts";
import type { Context } from "#gateway/context.ts";
import { type AskedCallback, checkCallback, keepCallback } from "#gateway/events/webhooks/callbacks.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, eq, isNull, notInArray } from "#gateway/platform/database/drizzle.ts";
import { batches, batchRows } from "#gateway/platform/database/schema.ts";
import { type CheckedBatch, checkRows } from "./check-rows.ts";
import { batchViews } from "./view.ts";

/** NOTIFY channel: there may be rows to run. */
export const batchChannel = "batch_work";

const dayMs = 86_400_000;
/** The same number of details as in other errors. */
const detailsShown = 20;
/** Rows per statement. */
const rowsAtOnce = 250;

/**
 * Starts a batch whose rows have all passed the check, after `beforeWriting`. Throws as `checkRows`, `invalid_parameter`
 * that names the faults, `too_many_batches` and `storage_limit_exceeded`.
 */
export async function createBatch(
  context: Context,
  caller: Caller,
  request: BatchCreate,
  beforeWriting: () => Promise<void>,
  named?: AskedCallback,
): Promise<Batch> {
  const { actor } = caller;
  const { accountId } = actor;
  const checked = await checkRows(context, actor, request);
  refuseFaults(checked);
  const { operation, model } = checked.compiled;
  const now = clock.date();
  const keyId = actor.kind === "key" ? actor.id : null;
  const callback = named && (await checkCallback(context, actor, named));
  await beforeWriting();
  const view = await context.database.transaction(async (queries) => {
    await assertRoom(queries, accountId);
    const [batch] = await queries
      .insert(batches)
      .values({
        id: newId("batch"),
        accountId,
        keyId,
        userId: actor.userId,
        runsAsKeyId: keyId,
        runsAsUserId: actor.userId,
        requestId: caller.requestId,
        name: request.name ?? null,
        kind: request.kind ?? "table",
        model: model.id,
        apiType: operation.api_type,
        billingUnit: operation.billing_unit,
        concurrency: request.concurrency ?? batchLimits.concurrency.default,
        columns: [...checked.columns],
        ignored: [...checked.ignored],
        estimatedQuantity: checked.estimatedQuantity,
        budgets: checkedBudgets(request.budgets ?? [], context.config.currency),
        storedBytes: bytesOf(checked),
        createdAt: now,
        deadlineAt: deadlineFrom(now),
        traceParent: context.telemetry?.position() ?? null,
      })
      .returning();
    if (!batch) throw new Error("the batch was not inserted");
    await context.storageLimit.assertWithin(queries, accountId);
    if (callback) await keepCallback(context, queries, accountId, batch.id, callback);
    for (let at = 0; at < checked.rows.length; at += rowsAtOnce)
      await queries
        .insert(batchRows)
        .values(checked.rows.slice(at, at + rowsAtOnce).map((row) => ({ ...row, batchId: batch.id })));
    await recordAudit(queries, {
      ...byCaller(caller),
      action: "batch.created",
      targetId: batch.id,
      detail: {
        model: model.id,
        rows: checked.rows.length,
        ...(request.kind === "comparison" && { kind: request.kind }),
      },
    });
    const [made] = await batchViews(queries, [batch], context.prices.book.currency);
    return made;
  });
  if (!view) throw new Error("a new batch is always there");
  context.database.notify(batchChannel);
  return view;
}

export function deadlineFrom(now: Date): Date {
  return new Date(now.getTime() + batchLimits.maxDays * dayMs);
}

function refuseFaults({ faults, faultsTotal }: CheckedBatch): void {
  const [first] = faults;
  if (!first) return;
  const place = first.line === null ? `Row ${first.row}` : `Line ${first.line}`;
  const more = faultsTotal === 1 ? "" : ` Errors in all: ${faultsTotal}.`;
  throw new ApiError("invalid_parameter", `${place}: ${first.message}${more} Nothing was started.`, {
    param: first.column,
    details: faults.slice(0, detailsShown).map(({ row, line, column, code, message }) => ({
      path: row === null ? "" : `/rows/${row - 1}${column === null ? "" : `/${column}`}`,
      keyword: code,
      message: line === null ? message : `line ${line}: ${message}`,
    })),
  });
}

function bytesOf({ rows }: CheckedBatch): number {
  return rows.reduce((sum, { input }) => sum + Buffer.byteLength(JSON.stringify(input)), 0);
}

/** One account cannot fill the database with batches. */
async function assertRoom(queries: Queries, accountId: string): Promise<void> {
  const open = await queries
    .select({ id: batches.id })
    .from(batches)
    .where(and(eq(batches.accountId, accountId), notInArray(batches.status, ["finished", "stopped"])))
    .limit(batchLimits.maxOpen);
  if (open.length >= batchLimits.maxOpen)
    throw new ApiError(
      "too_many_batches",
      `${batchLimits.maxOpen} batches of this account have not ended. Stop one, or wait for one to end.`,
    );
  const [kept] = await queries
    .select({ count: count() })
    .from(batches)
    .where(and(eq(batches.accountId, accountId), isNull(batches.dataRemovedAt)));
  if (kept && kept.count >= batchLimits.maxWithData)
    throw new ApiError(
      "too_many_batches",
      `The inputs and outputs of ${batchLimits.maxWithData.toLocaleString("en")} batches of this account are still there. They are removed some time after a batch has ended; wait for the oldest ones.`,
    );
}
