import type { List } from "#contract/list.ts";
import type { Output, OutputQuery } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { idsByKind } from "#gateway/database/by-kind.ts";
import { and, eq, gt, inArray, isNotNull, type SQL, sql } from "#gateway/database/drizzle.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { outputs } from "#gateway/database/schema.ts";
import { readKept } from "./kept-rows.ts";
import { outputViews } from "./view.ts";

/** The account's files that are still stored for their runs, newest first, with what their manifests say. */
export async function listOutputs(context: Context, actor: Actor, query: OutputQuery): Promise<List<Output>> {
  const { accountId } = actor;
  const { queries } = context.database;
  const { prediction_id: runId, model } = query;
  const page = keyset("output", outputs.id, query, [
    eq(outputs.accountId, accountId),
    isNotNull(outputs.key),
    gt(outputs.expiresAt, sql`now()`),
    runId === undefined ? undefined : eq(outputs.runId, runId),
  ]);
  const wanted = (ofModel: SQL) => [model === undefined ? undefined : eq(ofModel, model)];
  const rows = await queries
    .select()
    .from(outputs)
    .where(
      runId === undefined
        ? inArray(outputs.id, idsByKind(outputs, { accountId, parts: [outputs.model], wanted, page }))
        : and(page.where, ...wanted(sql`${outputs.model}`)),
    )
    .orderBy(page.order)
    .limit(page.limit);
  const list = listOf(page, rows, (row) => row);
  const kept = await readKept(
    queries,
    list.data.map(({ id }) => id),
  );
  return { ...list, data: await outputViews(context, actor, list.data, kept) };
}
