import type { List } from "#contract/list.ts";
import { keepLimits, type Output, type OutputQuery } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import { searchableBy } from "#gateway/models/catalog/clearance.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  arrayContains,
  eq,
  gt,
  inArray,
  lt,
  type SQL,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { type Keyset, keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { keptOutputs, outputs } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { isKeptNow, type KeptRow, keptColumns } from "#gateway/runs/provenance/kept-rows.ts";
import { outputViews } from "#gateway/runs/provenance/view.ts";
import { wordsOf } from "./words.ts";

/** So many are looked through before the index is asked. */
const nextFiles = 500;

/** The account's library, the newest outputs first. */
export async function listKept(context: Context, actor: Actor, query: OutputQuery): Promise<List<Output>> {
  const { queries } = context.database;
  const { prediction_id: runId, model } = query;
  const sought = soughtOf(actor.accountId, query);
  // Words of hidden prompts are not found.
  const searchable =
    query.search === undefined ? undefined : await searchableBy(context, actor, keptOutputs.model);
  const page = keyset("output", keptOutputs.outputId, query, [
    eq(keptOutputs.accountId, actor.accountId),
    isKeptNow,
    model === undefined ? undefined : eq(keptOutputs.model, model),
    runId === undefined
      ? undefined
      : inArray(
          keptOutputs.outputId,
          queries.select({ id: outputs.id }).from(outputs).where(eq(outputs.runId, runId)),
        ),
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
 * What many files have is found among the next ones in the order of ids; what few have, by its own index, and is then sorted. Either way
 * alone would read most of a large library for the other.
 */
async function soughtRows(queries: Queries, accountId: string, page: Keyset): Promise<KeptRow[]> {
  const { outputId } = keptOutputs;
  const { from = "", below = "zzzz" } = page.between;
  const next = and(eq(keptOutputs.accountId, accountId), gt(outputId, from), lt(outputId, below));
  // The limit within keeps what is sought from its index.
  const among = sql`(
    select output_id from (select * from ${keptOutputs} where ${next} order by ${page.order} limit ${nextFiles}) as kept_outputs
    where ${page.where} order by ${page.order} limit ${page.limit})`;
  const found = await rowsOf(queries, inArray(outputId, among), page.order, page.limit);
  if (found.length === page.limit) return found;
  const sorted = page.reversed ? sql`${outputId} || ''` : sql`${outputId} || '' desc`;
  return rowsOf(queries, page.where, sorted, page.limit);
}

/** Conditions for the index of words and labels, in which the account is, too. */
function soughtOf(accountId: string, { search, label }: OutputQuery): SQL[] {
  if (search === undefined && label === undefined) return [];
  const conditions = [sql`array[${keptOutputs.accountId}] @> array[${accountId}]::text[]`];
  if (label !== undefined)
    conditions.push(arrayContains(keptOutputs.labels, [label.normalize("NFC").trim()]));
  if (search !== undefined) {
    // Letters and digits alone, so nothing in them ends the quotes.
    const beginnings = wordsOf(search, keepLimits.searchWords).map((word) => `'${word}':*`);
    conditions.push(
      beginnings.length === 0
        ? sql`false`
        : sql`array_to_tsvector(${keptOutputs.words}) @@ ${beginnings.join(" & ")}::tsquery`,
    );
  }
  return conditions;
}
