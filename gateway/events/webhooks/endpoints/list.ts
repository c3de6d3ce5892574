import type { List, SearchedPageQuery } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import type { Context } from "#gateway/context.ts";
import { eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { webhookEndpoints } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { endpointNotFound, liveSecrets, ownEndpoint } from "./find.ts";
import { conditionOf } from "./health.ts";
import { endpointView } from "./view.ts";

/** The account's endpoints, newest first, each with its health. */
export async function listEndpoints(
  context: Context,
  accountId: string,
  query: SearchedPageQuery,
): Promise<List<Endpoint>> {
  const { queries } = context.database;
  const page = keyset("endpoint", webhookEndpoints.id, query, [
    eq(webhookEndpoints.accountId, accountId),
    isNull(webhookEndpoints.deletedAt),
    foundBy(query.search, {
      idColumn: webhookEndpoints.id,
      among: eq(webhookEndpoints.accountId, accountId),
      texts: [webhookEndpoints.description, webhookEndpoints.url],
    }),
  ]);
  const rows = await queries
    .select()
    .from(webhookEndpoints)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const ids = rows.map((row) => row.id);
  const [secrets, more] = await Promise.all([liveSecrets(queries, ids), conditionOf(queries, rows)]);
  const list = listOf(page, rows, (row) => endpointView(row, secrets.get(row.id) ?? [], more.get(row.id)));
  return withTotal(queries, page, list);
}

/** One endpoint with its health. Throws `endpoint_not_found`. */
export async function getEndpoint(context: Context, accountId: string, id: string): Promise<Endpoint> {
  const { queries } = context.database;
  const [row] = await queries.select().from(webhookEndpoints).where(ownEndpoint(accountId, id));
  if (!row) throw endpointNotFound();
  const [secrets, more] = await Promise.all([liveSecrets(queries, [id]), conditionOf(queries, [row])]);
  return endpointView(row, secrets.get(id) ?? [], more.get(id));
}
