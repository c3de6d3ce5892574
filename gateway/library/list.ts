import type { List } from "#contract/list.ts";
import { keepLimits, type Output, type OutputQuery } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { arrayContains, eq, inArray, type SQL, sql } from "#gateway/database/drizzle.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { keptOutputs, outputs } from "#gateway/database/schema.ts";
import { withTotal } from "#gateway/database/total.ts";
import { isKeptNow, keptColumns } from "#gateway/provenance/kept-rows.ts";
import { outputViews } from "#gateway/provenance/view.ts";
import { wordsOf } from "./words.ts";

/** The account's library, the newest outputs first. */
export async function listKept(context: Context, actor: Actor, query: OutputQuery): Promise<List<Output>> {
  const { queries } = context.database;
  const { prediction_id: runId, model } = query;
  const sought = soughtOf(actor.accountId, query);
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
  ]);
  // What is sought is found by its own index and then sorted: in the order of ids, all rows before it would be read.
  const ordered = page.reversed
    ? sql`${keptOutputs.outputId} || ''`
    : sql`${keptOutputs.outputId} || '' desc`;
  const rows = await queries
    .select(keptColumns)
    .from(keptOutputs)
    .where(page.where)
    .orderBy(sought.length > 0 ? ordered : page.order)
    .limit(page.limit);
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
