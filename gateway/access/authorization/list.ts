import type { Quantities } from "#contract/accounts/keys.ts";
import type { ConnectionScope } from "#contract/connection-constants.ts";
import type { Connection, ConnectionQuery } from "#contract/connections.ts";
import type { List } from "#contract/list.ts";
import { visibleKeys } from "#gateway/access/accounts/keys/owner.ts";
import { keyViews } from "#gateway/access/accounts/keys/view.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { usedThisMonth } from "#gateway/billing/usage/used-this-month.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import { and, eq, getTableColumns, isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { apiKeys, connections } from "#gateway/platform/database/schema.ts";
import { redirectTarget } from "./clients.ts";

function rowsOf({ database }: AccessContext) {
  return database.queries
    .select({ key: getTableColumns(apiKeys), connection: getTableColumns(connections) })
    .from(apiKeys)
    .innerJoin(connections, eq(connections.keyId, apiKeys.id));
}

/**
 * The connections that the caller is allowed to see, including ended ones, newest first. Excludes those whose
 * client has not fetched its tokens yet.
 */
export function listConnections(
  context: AccessContext,
  actor: Actor,
  query: ConnectionQuery,
): Promise<List<Connection>> {
  const page = keyset("key", apiKeys.id, query, [
    visibleKeys(actor),
    isNotNull(connections.codeUsedAt),
    query.user_id === undefined ? undefined : eq(apiKeys.userId, query.user_id),
  ]);
  return readPage(
    context.database.queries,
    page,
    rowsOf(context).$dynamic(),
    (rows) => connectionViews(context, rows),
    ({ where }) =>
      sql`select 1 from ${apiKeys} inner join ${connections} on ${connections.keyId} = ${apiKeys.id} where ${where}`,
  );
}

/** One connection. Throws `connection_not_found`. */
export async function readConnection(context: AccessContext, actor: Actor, id: string): Promise<Connection> {
  const rows = await rowsOf(context).where(
    and(eq(apiKeys.id, id), visibleKeys(actor), isNotNull(connections.codeUsedAt)),
  );
  const [view] = await connectionViews(context, rows);
  if (!view) throw new ApiError("connection_not_found", "There is no such connection.");
  return view;
}

interface ConnectionRow {
  key: typeof apiKeys.$inferSelect;
  connection: typeof connections.$inferSelect;
}

/** The public views of connections, without secrets. */
async function connectionViews(
  context: AccessContext,
  rows: readonly ConnectionRow[],
): Promise<Connection[]> {
  const keys = rows.map(({ key }) => key);
  const used: ReadonlyMap<string, Quantities> = await usedThisMonth(context, keys);
  const views = await keyViews(context.database.queries, keys, used);
  const byId = new Map(views.map((view) => [view.id, view]));
  return rows.flatMap(({ connection }) => {
    const key = byId.get(connection.keyId);
    if (!key) return [];
    const { clientId, clientName, clientVerified, redirectUri, endedBecause } = connection;
    return {
      id: key.id,
      object: "connection" as const,
      client: {
        id: clientId,
        name: clientName,
        host: clientVerified ? new URL(clientId).host : null,
        verified: clientVerified,
      },
      redirect_host: redirectTarget(redirectUri).host,
      member: key.member,
      scopes: key.scopes as ConnectionScope[],
      models: key.models,
      monthly_budget: key.monthly_budget,
      used_this_month: key.used_this_month,
      budgets: key.budgets,
      task_budget: key.task_budget,
      expires_at: key.expires_at,
      revoked_at: key.revoked_at,
      ended_because: endedBecause,
      last_used_at: key.last_used_at,
      created_at: key.created_at,
    };
  });
}
