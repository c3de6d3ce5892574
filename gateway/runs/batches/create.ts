import { type Batch, type BatchCreate, type BatchKind, batchLimits } from "#contract/batches.ts";
import { newId } from "#contract/ids.ts";
import { byCaller, recordAudit } from "#gateway/access/accounts/audit.ts";
import { checkedBudgets } from "#gateway/billing/budgets/check.ts";
import { type AskedCallback, checkCallback, keepCallback } from "#gateway/events/webhooks/callbacks.ts";
import { attestationsToLook } from "#gateway/models/catalog/clearance.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, notInArray, sql } from "#gateway/platform/database/drizzle.ts";
import { batches, batchRows, uploads } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { uploadNamed } from "#gateway/runs/operations/resolve-media-source.ts";
import { type BatchCall, type CheckedBatch, checkRows } from "./check-rows.ts";
import { viewOf } from "./read.ts";
import { announceEnd, endIfDone } from "./settle.ts";
import type { BatchRecord } from "./view.ts";

/** The NOTIFY channel that wakes batch workers, because there may be rows to run. */
export const batchChannel = "batch_work";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** An error lists at most this many faults, like every other error. */
const detailsShown = 20;
/** Rows that one statement inserts. */
const rowsAtOnce = 250;

/** A request that creates a batch. */
export interface NewBatchCall extends BatchCall {
  /** Awaited before the first write. */
  beforeWriting: () => Promise<void>;
  callback: AskedCallback | undefined;
}

/**
 * Starts a batch whose rows have all passed the check, after `beforeWriting`. Throws as `checkRows`, `invalid_parameter`
 * that names the faults, and as `writeBatch`.
 */
export async function createBatch(call: NewBatchCall, request: BatchCreate): Promise<Batch> {
  const { context } = call;
  const checked = await checkRows(call, request);
  refuseFaults(checked);
  const { name = null, kind = "table", concurrency, budgets = [] } = request;
  const batch = await writeBatch(call, {
    ...checked,
    name,
    kind,
    concurrency,
    budgets,
    openAi: null,
    uploadId: uploadNamed(request.upload ?? ""),
  });
  return viewOf(context, context.database.queries, batch);
}

/** A row that is about to be written. */
export type NewRow = Omit<typeof batchRows.$inferInsert, "batchId">;

/** A checked batch, with the caller's settings for it. */
export interface NewBatch
  extends Pick<CheckedBatch, "compiled" | "columns" | "ignored" | "estimatedQuantity"> {
  rows: readonly NewRow[];
  name: string | null;
  kind: BatchKind;
  concurrency?: number | undefined;
  budgets: NonNullable<BatchCreate["budgets"]>;
  openAi: BatchRecord["openAi"];
  /** The table that the rows came from. */
  uploadId: string | null;
}

/** Writes a batch with its rows; it ends at once if none of them can run. Throws `too_many_batches` and `storage_limit_exceeded`. */
export async function writeBatch(
  { context, caller, callback: named, beforeWriting }: NewBatchCall,
  { compiled, rows, ...asked }: NewBatch,
): Promise<BatchRecord> {
  const { actor } = caller;
  const { accountId } = actor;
  const { operation, model } = compiled;
  const now = clock.date();
  const keyId = actor.kind === "key" ? actor.id : null;
  const callback = named && (await checkCallback(context, actor, named));
  await beforeWriting();
  const written = await context.database.transaction(async (queries) => {
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
        declinesContents: caller.declinesContents ?? null,
        name: asked.name,
        kind: asked.kind,
        openAi: asked.openAi,
        model: model.id,
        apiType: operation.api_type,
        billingUnit: operation.billing_unit,
        concurrency: asked.concurrency ?? batchLimits.concurrency.default,
        columns: [...asked.columns],
        ignored: [...asked.ignored],
        estimatedQuantity: asked.estimatedQuantity,
        budgets: checkedBudgets(asked.budgets, context.config.currency),
        storedBytes: bytesOf(rows),
        createdAt: now,
        deadlineAt: deadlineFrom(now, asked),
        traceParent: context.telemetry?.position() ?? null,
      })
      .returning();
    if (!batch) throw new Error("the batch was not inserted");
    await context.storageLimit.assertWithin(queries, accountId);
    if (callback) await keepCallback(context, queries, accountId, batch.id, callback);
    if (asked.uploadId) await hideTable(context, queries, asked.uploadId, rows);
    for (let at = 0; at < rows.length; at += rowsAtOnce)
      await queries
        .insert(batchRows)
        .values(rows.slice(at, at + rowsAtOnce).map((row) => ({ ...row, batchId: batch.id })));
    await recordAudit(queries, {
      ...byCaller(caller),
      action: "batch.created",
      targetId: batch.id,
      detail: {
        model: model.id,
        rows: rows.length,
        ...(asked.kind === "comparison" && { kind: asked.kind }),
        ...(asked.openAi && { endpoint: asked.openAi.endpoint, input_file_id: asked.openAi.inputFileId }),
      },
    });
    const ended = await endIfDone(context, queries, batch.id);
    return { batch: ended ?? batch, hasEnded: ended !== null };
  });
  context.database.notify(batchChannel);
  if (written.hasEnded) announceEnd(context, accountId);
  return written.batch;
}

/** From now on the table asks its readers for the attestations of the models that run it, as the rows do. */
async function hideTable(
  context: RunsContext,
  queries: Queries,
  uploadId: string,
  rows: readonly NewRow[],
): Promise<void> {
  const neededFor = await attestationsToLook(context);
  const gates = [...new Set([...new Set(rows.map(({ model }) => model))].flatMap(neededFor))];
  const all = sql`coalesce(${uploads.gates}, '[]') || ${JSON.stringify(gates)}::jsonb`;
  await queries
    .update(uploads)
    .set({
      gates: sql`(select coalesce(jsonb_agg(distinct gate), '[]') from jsonb_array_elements(${all}) gate)`,
    })
    .where(eq(uploads.id, uploadId));
}

/** The latest time for a batch that starts at `now`; the gateway stops it then. */
export function deadlineFrom(now: Date, { openAi }: Pick<BatchRecord, "openAi">): Date {
  const { maxDays, openAiHours } = batchLimits;
  return new Date(now.getTime() + (openAi ? openAiHours * hourMs : maxDays * dayMs));
}

function refuseFaults({ faults, faultsTotal }: CheckedBatch): void {
  const [first] = faults;
  if (!first) return;
  const place = first.line === null ? `Row ${first.row}` : `Line ${first.line}`;
  const more = faultsTotal === 1 ? "" : ` Errors in all: ${faultsTotal}.`;
  throw new ApiError(
    "invalid_parameter",
    `${place}: ${asSentence(first.message)}${more} Nothing was started.`,
    {
      param: first.column,
      details: faults.slice(0, detailsShown).map(({ row, line, column, code, message }) => ({
        path: row === null ? "" : `/rows/${row - 1}${column === null ? "" : `/${column}`}`,
        keyword: code,
        message: line === null ? message : `line ${line}: ${message}`,
      })),
    },
  );
}

/** Ends a message with a full stop: errors about a single field often have none. */
export function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function bytesOf(rows: NewBatch["rows"]): number {
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
  const kept = and(eq(batches.accountId, accountId), isNull(batches.dataRemovedAt));
  if ((await queries.$count(batches, kept)) >= batchLimits.maxWithData)
    throw new ApiError(
      "too_many_batches",
      `The inputs and outputs of ${batchLimits.maxWithData.toLocaleString("en")} batches of this account are still stored, the most allowed. Wait until those of the oldest batches are removed.`,
    );
}
