import type { List } from "#contract/list.ts";
import type { Output, OutputQuery } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import { idsByKind } from "#gateway/database/by-kind.ts";
import { and, eq, gt, inArray, isNotNull, type SQL, sql } from "#gateway/database/drizzle.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { outputs } from "#gateway/database/schema.ts";
import { withManifests } from "./read-outputs.ts";
import { outputView, type StoredRow } from "./view.ts";

/** The account's files that are still stored, newest first, with what their manifests say. */
export async function listOutputs(
  context: Context,
  accountId: string,
  query: OutputQuery,
): Promise<List<Output>> {
  const { prediction_id: runId, model } = query;
  const page = keyset("output", outputs.id, query, [
    eq(outputs.accountId, accountId),
    isNotNull(outputs.key),
    gt(outputs.expiresAt, sql`now()`),
    runId === undefined ? undefined : eq(outputs.runId, runId),
  ]);
  const wanted = (ofModel: SQL) => [model === undefined ? undefined : eq(ofModel, model)];
  const rows = await context.database.queries
    .select()
    .from(outputs)
    .where(
      runId === undefined
        ? inArray(outputs.id, idsByKind(outputs, { accountId, parts: [outputs.model], wanted, page }))
        : and(page.where, ...wanted(sql`${outputs.model}`)),
    )
    .orderBy(page.order)
    .limit(page.limit);
  const list = listOf(page, rows, (row) => row as StoredRow);
  const read = await withManifests(context, list.data);
  return { ...list, data: read.map((row) => outputView(context, row)) };
}
