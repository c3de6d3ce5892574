import { type Deleted, deleted, type List } from "#contract/list.ts";
import {
  type KeptLabels,
  keepLimits,
  keepUndoMs,
  libraryRoutes,
  type Output,
  type OutputQuery,
} from "#contract/outputs.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { forgetCopies, removeFilesOf } from "#gateway/files/storage/remove-files.ts";
import { Clearance, searchableBy } from "#gateway/models/catalog/clearance.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  arrayContains,
  count,
  desc,
  eq,
  gt,
  inArray,
  lt,
  max,
  type SQL,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { type Keyset, keyset, listOf, withTotal } from "#gateway/platform/database/keyset.ts";
import { hasBytes, keptOutputs, outputs } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import {
  isKeptNow,
  type KeptRow,
  keptColumns,
  outputNotFound,
} from "#gateway/runs/provenance/find-outputs.ts";
import { listOutputs, outputViews, readableUntil } from "#gateway/runs/provenance/read.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";
import { keepOutput, readOutput, wordsOf } from "./keep.ts";

export function installLibrary(app: App, context: WorkspaceContext): void {
  serve(app, context, libraryRoutes, {
    "GET /outputs": ({ caller, query }) => {
      if (query.kept) return listKept(context, caller.actor, query);
      refuseLibraryFilters(query);
      return listOutputs(context, caller.actor, query);
    },
    "GET /outputs/labels": ({ caller }) => listLabels(context, caller.actor),
    "GET /outputs/{id}": ({ caller, params }) => readOutput(context, caller.actor, params.id),
    "POST /outputs/{id}/keep": (request) =>
      keepOutput(context, request.caller, request.params.id, request.body),
    "DELETE /outputs/{id}/keep": (request) => removeKept(context, request.caller, request.params.id),
  });
}

/** Refuses filters that apply only to kept files: ignoring them would return everything. */
function refuseLibraryFilters(query: OutputQuery): void {
  for (const param of ["label", "search"] as const)
    if (query[param] !== undefined)
      throw invalidParameter(param, `${param} searches kept files: send kept=true with it.`);
}

/** This many files are searched in the order of ids before the search index is used. */
const nextFiles = 500;

/** The account's library, newest outputs first. */
export async function listKept(
  context: WorkspaceContext,
  actor: Actor,
  query: OutputQuery,
): Promise<List<Output>> {
  const { queries } = context.database;
  const { prediction_id: runId, model, sha256 } = query;
  const ofFiles = (condition: SQL) =>
    inArray(keptOutputs.outputId, queries.select({ id: outputs.id }).from(outputs).where(condition));
  const sought = soughtOf(actor.accountId, query);
  // Searches must not find words of hidden prompts.
  const searchable =
    query.search === undefined ? undefined : await searchableBy(context, actor, keptOutputs.model);
  const page = keyset("output", keptOutputs.outputId, query, [
    eq(keptOutputs.accountId, actor.accountId),
    isKeptNow,
    model === undefined ? undefined : eq(keptOutputs.model, model),
    runId === undefined ? undefined : ofFiles(eq(outputs.runId, runId)),
    sha256 === undefined ? undefined : ofFiles(hasBytes(actor.accountId, sha256)),
    ...sought,
    searchable,
  ]);
  const rows =
    sought.length === 0
      ? await rowsOf(queries, page.where, page.order, page.limit)
      : await soughtRows(queries, actor.accountId, page);
  const list = await withTotal(
    queries,
    page,
    listOf(page, rows, (row) => ({ ...row, id: row.outputId })),
  );
  const ids = list.data.map(({ id }) => id);
  const found = ids.length === 0 ? [] : await queries.select().from(outputs).where(inArray(outputs.id, ids));
  const byId = new Map(found.map((row) => [row.id, row]));
  const kept = new Map(list.data.map((row) => [row.id, row]));
  const inOrder = ids.flatMap((id) => byId.get(id) ?? []);
  return { ...list, data: await outputViews(context, actor, inOrder, kept, "what is known") };
}

function rowsOf(queries: Queries, where: SQL | undefined, order: SQL, limit: number): Promise<KeptRow[]> {
  return queries.select(keptColumns).from(keptOutputs).where(where).orderBy(order).limit(limit);
}

/**
 * Looks for a word or label first among the next files in the order of ids, which quickly finds a common one,
 * then in the search index, which finds a rare one and needs a sort. With only one of these methods, some
 * searches would read most of a large library.
 */
async function soughtRows(queries: Queries, accountId: string, page: Keyset): Promise<KeptRow[]> {
  const { outputId } = keptOutputs;
  const { from = "", below = "zzzz" } = page.between;
  const next = and(eq(keptOutputs.accountId, accountId), gt(outputId, from), lt(outputId, below));
  // The inner limit keeps the planner from using the search index.
  const among = sql`(
    select output_id from (select * from ${keptOutputs} where ${next} order by ${page.order} limit ${nextFiles}) as kept_outputs
    where ${page.where} order by ${page.order} limit ${page.limit})`;
  const found = await rowsOf(queries, inArray(outputId, among), page.order, page.limit);
  if (found.length === page.limit) return found;
  const sorted = page.reversed ? sql`${outputId} || ''` : sql`${outputId} || '' desc`;
  return rowsOf(queries, page.where, sorted, page.limit);
}

/**
 * The conditions for words and labels. They include the account, because the search index also contains it.
 */
function soughtOf(accountId: string, { search, label }: OutputQuery): SQL[] {
  if (search === undefined && label === undefined) return [];
  const conditions = [sql`array[${keptOutputs.accountId}] @> array[${accountId}]::text[]`];
  if (label !== undefined)
    conditions.push(arrayContains(keptOutputs.labels, [label.normalize("NFC").trim()]));
  if (search !== undefined) {
    // Only letters and digits, so nothing in them can end the quotes.
    const beginnings = wordsOf(search, keepLimits.searchWords).map((word) => `'${word}':*`);
    conditions.push(
      beginnings.length === 0
        ? sql`false`
        : sql`array_to_tsvector(${keptOutputs.words}) @@ ${beginnings.join(" & ")}::tsquery`,
    );
  }
  return conditions;
}

const maxLabels = 200;

/** The labels of the account's library, most used first, each with its newest file as this reader may see it. */
async function listLabels(context: WorkspaceContext, actor: Actor): Promise<KeptLabels> {
  const { queries } = context.database;
  const { outputId, accountId, labels, model, key, keptUntil } = keptOutputs;
  const used = queries
    .select({ label: sql<string>`unnest(${labels})`.as("label"), outputId })
    .from(keptOutputs)
    .where(and(eq(accountId, actor.accountId), isKeptNow))
    .as("used");
  const most = queries
    .select({ label: used.label, count: count().as("count"), newest: max(used.outputId).as("newest") })
    .from(used)
    .groupBy(used.label)
    .orderBy(desc(count()), used.label)
    .limit(maxLabels)
    .as("most");
  const { label, count: uses, newest } = most;
  const found = await queries
    .select({ label, uses, model, key, keptUntil, contentType: outputs.contentType })
    .from(most)
    .innerJoin(keptOutputs, eq(outputId, newest))
    .innerJoin(outputs, eq(outputs.id, newest))
    .orderBy(desc(uses), label);
  const clearance = await Clearance.of(
    context,
    actor,
    found.map(({ model }) => model),
  );
  const data = found.map(({ label, uses, contentType, ...file }) => {
    const expiresAt = readableUntil(file);
    const { preview_url, gated } = clearance.addresses(context, { ...file, contentType, expiresAt });
    return { label, count: uses, newest: { content_type: contentType, preview_url, gated } };
  });
  return { object: "list", data };
}

/**
 * Removes an output from the library at once; its file is deleted some minutes later, so that a wrong click
 * can be undone. Throws `output_not_found`.
 */
async function removeKept({ database }: WorkspaceContext, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  return audited({ database }, caller, "output.removed", async (queries) => {
    const [removed] = await queries
      .update(keptOutputs)
      .set({ goesAt: new Date(clock.now() + keepUndoMs) })
      .where(and(eq(keptOutputs.outputId, id), eq(keptOutputs.accountId, accountId), isKeptNow))
      .returning({ model: keptOutputs.model, labels: keptOutputs.labels });
    if (!removed) throw outputNotFound(id);
    const { model, labels } = removed;
    return { target: id, detail: { model, labels }, result: deleted("output", id) };
  });
}

const batchSize = 500;
const dueAt = sql`least(kept_until, goes_at)`;

/**
 * Removes kept files whose retention has ended, and those that somebody removed. Objects are removed before
 * rows, so that after a crash the removal is simply repeated.
 */
export const keptOutputSweep: Sweep<WorkspaceContext> = {
  kind: "kept_outputs",
  run: (context) =>
    context.database.transaction(async (queries) => {
      const due = await queries
        .select({
          id: keptOutputs.outputId,
          accountId: keptOutputs.accountId,
          key: keptOutputs.key,
          media: keptOutputs.media,
        })
        .from(keptOutputs)
        .where(sql`${dueAt} <= now()`)
        .orderBy(dueAt)
        .limit(batchSize)
        .for("update", { skipLocked: true });
      const gone = await removeFilesOf(context, queries, due, ({ key, media }) => [
        key,
        ...media.map((file) => file.key),
      ]);
      const ids = gone.map(({ id }) => id);
      if (ids.length === 0) return false;
      await queries.delete(keptOutputs).where(inArray(keptOutputs.outputId, ids));
      await forgetCopies(queries, ids);
      return due.length === batchSize;
    }),
  oldestDue: () =>
    "select min(least(kept_until, goes_at)) from kept_outputs where least(kept_until, goes_at) is not null",
};
