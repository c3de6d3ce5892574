import {
  type Batch,
  type BatchList,
  type BatchPicture,
  type BatchQuery,
  type BatchRow,
  type BatchRowList,
  type BatchRowQuery,
  batchLimits,
} from "#contract/batches.ts";
import type { ApiType } from "#contract/catalog.ts";
import { errorCatalogue } from "#contract/error.ts";
import type { List } from "#contract/list.ts";
import { pageLimit } from "#contract/list-constants.ts";
import type { OutputFile } from "#contract/prediction.ts";
import { costView } from "#gateway/billing/prices/price-lines.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, gt, inArray } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { keyset, listOf, withTotal } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { batches, batchRows } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { type BatchRecord, batchViews } from "./view.ts";

export type RowRecord = typeof batchRows.$inferSelect;

/** The operation of a row: in a comparison each row may have its own. */
export function apiTypeOf(batch: Pick<BatchRecord, "apiType">, row: Pick<RowRecord, "apiType">): ApiType {
  return row.apiType ?? batch.apiType;
}

/** The account's batch. Throws `batch_not_found`, also for another account's id. */
export async function findBatch(
  { database, history }: Pick<RunsContext, "database" | "history">,
  accountId: string,
  id: string,
): Promise<BatchRecord> {
  const [row] = await database.queries
    .select()
    .from(batches)
    .where(and(eq(batches.id, id), eq(batches.accountId, accountId)));
  if (!row)
    throw new ApiError("batch_not_found", `There is no batch ${id}.${forgottenNote(history, "batch", id)}`);
  return row;
}

export async function viewOf(
  { prices }: Pick<RunsContext, "prices">,
  queries: Queries,
  batch: BatchRecord,
): Promise<Batch> {
  const [view] = await batchViews(queries, [batch], prices.book.currency);
  if (!view) throw new Error("the view of a batch is always there");
  return view;
}

export async function readBatch(context: RunsContext, accountId: string, id: string): Promise<Batch> {
  return viewOf(context, context.database.queries, await findBatch(context, accountId, id));
}

/** The batch that a request created, if its transaction was committed. */
export async function findBatchOfRequest(
  { database }: Pick<RunsContext, "database">,
  accountId: string,
  requestId: string,
): Promise<BatchRecord | null> {
  const [row] = await database.queries
    .select()
    .from(batches)
    .where(and(eq(batches.requestId, requestId), eq(batches.accountId, accountId)));
  return row ?? null;
}

/** The account's batches, newest first, with their first pictures as this reader may see them. */
export async function listBatches(context: RunsContext, actor: Actor, query: BatchQuery): Promise<BatchList> {
  const list = await listShaped(context, actor.accountId, query, (_batch, view) => view);
  const pictures = await readPictures(
    context,
    actor,
    list.data.map(({ id }) => id),
  );
  return { ...list, data: list.data.map((batch) => ({ ...batch, pictures: pictures.get(batch.id) ?? [] })) };
}

/** Reads only a few rows of each batch, by the index of their status, even if the batch has thousands. */
async function readPictures(
  context: RunsContext,
  actor: Actor,
  ids: readonly string[],
): Promise<Map<string, BatchPicture[]>> {
  const { queries } = context.database;
  const { batchId, row, model, files, expiresAt, dataRemovedAt } = batchRows;
  const first = queries
    .select({ batchId, row, model, files, expiresAt, dataRemovedAt })
    .from(batchRows)
    .where(and(eq(batchId, batches.id), eq(batchRows.status, "succeeded")))
    .orderBy(asc(row))
    .limit(batchLimits.maxPictures)
    .as("first");
  const rows =
    ids.length === 0
      ? []
      : await queries
          .select({
            batchId: first.batchId,
            row: first.row,
            model: first.model,
            files: first.files,
            expiresAt: first.expiresAt,
            dataRemovedAt: first.dataRemovedAt,
          })
          .from(batches)
          .crossJoinLateral(first)
          .where(inArray(batches.id, [...ids]))
          .orderBy(first.row);
  const clearance = await Clearance.of(
    context,
    actor,
    rows.map(({ model }) => model),
  );
  const pictures = new Map<string, BatchPicture[]>();
  for (const { batchId, row, model, files, expiresAt, dataRemovedAt } of rows) {
    if (dataRemovedAt !== null) continue;
    const own = (files ?? []).map((file) => {
      const shown = { ...file, model, expiresAt: expiresAt ?? clock.date() };
      const { preview_url, gated } = clearance.addresses(context, shown);
      return { row, content_type: file.contentType, preview_url, gated };
    });
    const all = [...(pictures.get(batchId) ?? []), ...own];
    pictures.set(batchId, all.slice(0, batchLimits.maxPictures));
  }
  return pictures;
}

/** The account's batches, newest first; `shape` makes the view of each. */
export async function listShaped<Shape extends { id: string }>(
  { database: { queries }, prices }: Pick<RunsContext, "database" | "prices">,
  accountId: string,
  query: BatchQuery,
  shape: (batch: BatchRecord, view: Batch) => Shape,
): Promise<List<Shape>> {
  const { kind, status, model, user_id: userId, key_id: keyId, search } = query;
  const page = keyset("batch", batches.id, query, [
    eq(batches.accountId, accountId),
    kind === undefined ? undefined : eq(batches.kind, kind),
    status === undefined ? undefined : eq(batches.status, status),
    model === undefined ? undefined : eq(batches.model, model),
    userId === undefined ? undefined : eq(batches.userId, userId),
    keyId === undefined ? undefined : eq(batches.keyId, keyId),
    foundBy(search, {
      idColumn: batches.id,
      among: eq(batches.accountId, accountId),
      texts: [batches.name, batches.model],
    }),
  ]);
  const rows = await queries.select().from(batches).where(page.where).orderBy(page.order).limit(page.limit);
  const views = new Map(
    (await batchViews(queries, rows, prices.book.currency)).map((view) => [view.id, view]),
  );
  const list = listOf(page, rows, (batch) => {
    const view = views.get(batch.id);
    if (!view) throw new Error("each row of a page has its view");
    return shape(batch, view);
  });
  return withTotal(queries, page, list);
}

export async function listRows(
  context: RunsContext,
  actor: Actor,
  id: string,
  { status, limit = pageLimit.default, after = 0 }: BatchRowQuery,
): Promise<BatchRowList> {
  const batch = await findBatch(context, actor.accountId, id);
  const found = await context.database.queries
    .select()
    .from(batchRows)
    .where(
      and(
        eq(batchRows.batchId, batch.id),
        gt(batchRows.row, after),
        status === undefined ? undefined : eq(batchRows.status, status),
      ),
    )
    .orderBy(asc(batchRows.row))
    .limit(limit + 1);
  const clearance = await Clearance.of(
    context,
    actor,
    found.map(({ model }) => model),
  );
  const data = found.slice(0, limit).map((row) => rowView(context, batch, row, clearance));
  return {
    object: "list",
    data,
    has_more: found.length > limit,
    first_row: data[0]?.row ?? null,
    last_row: data.at(-1)?.row ?? null,
  };
}

/** A row as a reader with this clearance sees it. */
export function rowView(
  context: RunsContext,
  batch: BatchRecord,
  row: RowRecord,
  clearance: Clearance,
): BatchRow {
  const isKept = row.dataRemovedAt === null;
  const gated = clearance.missing(row.model);
  const output = isKept && gated === null ? row.output : null;
  return {
    object: "batch.row",
    row: row.row,
    line: row.line,
    custom_id: row.customId,
    model: row.model,
    api_type: apiTypeOf(batch, row),
    status: row.status,
    input: gated === null ? row.input : null,
    gated,
    run_id: row.runId,
    text: textOf(output),
    output,
    data: isKept ? filesOf(context, row, clearance) : null,
    error: row.error,
    usage:
      row.usageUnit && row.usageQuantity !== null
        ? { unit: row.usageUnit, quantity: row.usageQuantity }
        : null,
    cost: costView(row, context.prices.book.currency),
    svc_region: row.svcRegion,
    sandbox: row.sandbox,
    started_at: row.startedAt?.toISOString() ?? null,
    completed_at: row.completedAt?.toISOString() ?? null,
    expires_at: row.expiresAt?.toISOString() ?? null,
    data_removed: !isKept,
  };
}

function filesOf(
  context: RunsContext,
  { files, model, ...row }: RowRecord,
  clearance: Clearance,
): OutputFile[] | null {
  const expiresAt = row.expiresAt ?? clock.date();
  return (
    files?.map((file) => ({
      ...clearance.addresses(context, { ...file, model, expiresAt }),
      content_type: file.contentType,
      size_bytes: file.sizeBytes,
      width: file.width,
      height: file.height,
      duration: file.duration,
    })) ?? null
  );
}

/** The text of a chat, a response or a transcription. */
function textOf(output: RowRecord["output"]): string | null {
  const {
    choices,
    text,
    output: items,
  } = (output ?? {}) as {
    choices?: { message?: { content?: string | null } }[];
    text?: unknown;
    output?: { type?: string; content?: { text?: string }[] }[];
  };
  if (choices) return choices[0]?.message?.content ?? null;
  if (Array.isArray(items)) {
    const parts = items.filter(({ type }) => type === "message").flatMap(({ content }) => content ?? []);
    return parts.map(({ text: part }) => part ?? "").join("");
  }
  return typeof text === "string" ? text : null;
}

/** An error as it is stored with a row. */
export function errorOf({ code, message }: Pick<ApiError, "code" | "message">) {
  return { code, message, type: errorCatalogue[code].type };
}

/** Rows that are in memory at the same time. */
const rowsAtOnce = 50;

/** Every row of a batch, in order. */
export async function* allRows({ database }: RunsContext, id: string): AsyncGenerator<RowRecord> {
  let after = 0;
  for (;;) {
    const page = await database.queries
      .select()
      .from(batchRows)
      .where(and(eq(batchRows.batchId, id), gt(batchRows.row, after)))
      .orderBy(asc(batchRows.row))
      .limit(rowsAtOnce);
    yield* page;
    if (page.length < rowsAtOnce) return;
    after = page.at(-1)?.row ?? after;
  }
}

/** The models of a batch's rows. */
export async function modelsOf({ database }: Pick<RunsContext, "database">, id: string): Promise<string[]> {
  const rows = await database.queries
    .selectDistinct({ model: batchRows.model })
    .from(batchRows)
    .where(eq(batchRows.batchId, id));
  return rows.map(({ model }) => model);
}
