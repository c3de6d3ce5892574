import type { List } from "#contract/list.ts";
import type { Output, OutputQuery } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { idsByKind } from "#gateway/platform/database/by-kind.ts";
import { eq, gt, inArray, type PgColumn, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { hasPair } from "#gateway/platform/database/metadata-filter.ts";
import { isStored, outputKind, outputs } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { readKept } from "./of-runs.ts";
import { outputViews } from "./view.ts";

/**
 * The account's files that are still stored for their runs, newest first. Manifests are read only for the
 * files of a single run; a longer list shows the known ones and does not wait.
 */
export async function listOutputs(context: Context, actor: Actor, query: OutputQuery): Promise<List<Output>> {
  const { accountId } = actor;
  const { queries } = context.database;
  const { prediction_id: runId, metadata } = query;
  const { hop, filters } = waysTo(query);
  const page = keyset("output", outputs.id, query, [
    eq(outputs.accountId, accountId),
    isStored,
    gt(outputs.expiresAt, sql`now()`),
    runId === undefined ? undefined : eq(outputs.runId, runId),
    metadata === undefined ? undefined : hasPair(outputs.metadata, metadata),
    ...filters,
  ]);
  const rows = await queries
    .select()
    .from(outputs)
    .where(hop ? inArray(outputs.id, idsByKind(outputs, { accountId, page, ...hop })) : page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const found = listOf(page, rows, (row) => row);
  const list = await withTotal(queries, page, found, (whole) =>
    hop
      ? idsByKind(outputs, { accountId, page: whole, ...hop })
      : sql`select 1 from ${outputs} where ${whole.where}`,
  );
  const kept = await readKept(
    queries,
    list.data.map(({ id }) => id),
  );
  const reads = runId === undefined ? "what is known" : "manifests";
  return { ...list, data: await outputViews(context, actor, list.data, kept, reads) };
}

/**
 * How the database finds the rows of a list: which index columns it skips through, and which filters remain.
 * With an ordinary filter on the skipped columns, PostgreSQL would read their index from its end. Without
 * skipping, it might read the primary key, past every row whose file was removed.
 */
function waysTo(query: OutputQuery) {
  const { prediction_id: runId, user_id: userId, key_id: keyId, metadata } = query;
  const values = [query.api_type, query.kind, query.model, query.svc_region];
  const ofKind = (...parts: SQL[]) =>
    parts.map((part, index) => (values[index] === undefined ? undefined : eq(part, values[index])));
  const kind = ofKind(...outputKind);
  const hopOver = (column: PgColumn, value: string) => ({
    among: sql`${isStored} and ${column} is not null`,
    parts: [column],
    wanted: (part?: SQL) => [part && eq(part, value)],
  });
  const ofKey = keyId === undefined ? undefined : eq(outputs.keyId, keyId);
  // A run or a metadata value has few files, and indexes of their own find them.
  if (runId !== undefined || metadata !== undefined)
    return { filters: [userId === undefined ? undefined : eq(outputs.userId, userId), ofKey, ...kind] };
  if (userId !== undefined) return { hop: hopOver(outputs.userId, userId), filters: [ofKey, ...kind] };
  if (keyId !== undefined) return { hop: hopOver(outputs.keyId, keyId), filters: kind };
  return { hop: { among: isStored, parts: outputKind, wanted: ofKind }, filters: [] };
}
