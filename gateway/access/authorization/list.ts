import type { Connection, ConnectionQuery } from "#contract/connections.ts";
import type { List } from "#contract/list.ts";
import { visibleKeys } from "#gateway/access/accounts/keys/whose.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, eq, getTableColumns, isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { apiKeys, connections } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { type ConnectionRow, connectionViews } from "./view.ts";

function rowsOf({ database }: Context) {
  return database.queries
    .select({ key: getTableColumns(apiKeys), connection: getTableColumns(connections) })
    .from(apiKeys)
    .innerJoin(connections, eq(connections.keyId, apiKeys.id));
}

/** The connections that the caller sees, ended ones included, newest first. Those whose client never came are not there yet. */
export async function listConnections(
  context: Context,
  actor: Actor,
  query: ConnectionQuery,
): Promise<List<Connection>> {
  const page = keyset("key", apiKeys.id, query, [
    visibleKeys(actor),
    isNotNull(connections.codeUsedAt),
    query.user_id === undefined ? undefined : eq(apiKeys.userId, query.user_id),
  ]);
  const rows: ConnectionRow[] = await rowsOf(context).where(page.where).orderBy(page.order).limit(page.limit);
  const views = new Map((await connectionViews(context, rows)).map((view) => [view.id, view]));
  const list = listOf(page, rows, ({ key }) => views.get(key.id) as Connection);
  return withTotal(
    context.database.queries,
    page,
    list,
    ({ where }) =>
      sql`select 1 from ${apiKeys} inner join ${connections} on ${connections.keyId} = ${apiKeys.id} where ${where}`,
  );
}

/** One connection. Throws `connection_not_found`. */
export async function readConnection(context: Context, actor: Actor, id: string): Promise<Connection> {
  const rows = await rowsOf(context).where(
    and(eq(apiKeys.id, id), visibleKeys(actor), isNotNull(connections.codeUsedAt)),
  );
  const [view] = await connectionViews(context, rows);
  if (!view) throw new ApiError("connection_not_found", "There is no such connection.");
  return view;
}
