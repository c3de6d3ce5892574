import type { Quantities } from "#contract/accounts/keys.ts";
import type { ConnectionScope } from "#contract/connection-constants.ts";
import type { Connection } from "#contract/connections.ts";
import { keyViews } from "#gateway/access/accounts/keys/view.ts";
import { usedThisMonth } from "#gateway/billing/usage/used-this-month.ts";
import type { Context } from "#gateway/context.ts";
import type { apiKeys, connections } from "#gateway/platform/database/schema.ts";
import { redirectTarget } from "./redirect-uris.ts";

export interface ConnectionRow {
  key: typeof apiKeys.$inferSelect;
  connection: typeof connections.$inferSelect;
}

/** The public views of connections, without anything secret. */
export async function connectionViews(
  context: Context,
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
      expires_at: key.expires_at,
      revoked_at: key.revoked_at,
      ended_because: endedBecause,
      last_used_at: key.last_used_at,
      created_at: key.created_at,
    };
  });
}
