import type { List, SearchedPageQuery } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { webhookEndpoints } from "#gateway/platform/database/schema.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { endpointNotFound, liveSecrets, ownEndpoint } from "./find.ts";
import { conditionOf } from "./health.ts";
import { type EndpointRow, endpointView } from "./view.ts";

/** The account's endpoints, newest first, each with its health. */
export async function listEndpoints(
  context: WebhookContext,
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
  return readPage(queries, page, queries.select().from(webhookEndpoints).$dynamic(), (rows) =>
    endpointViews(queries, rows),
  );
}

/** Endpoints, each with its health. */
async function endpointViews(queries: Queries, rows: EndpointRow[]): Promise<Endpoint[]> {
  const ids = rows.map(({ id }) => id);
  const [secrets, more] = await Promise.all([liveSecrets(queries, ids), conditionOf(queries, rows)]);
  return rows.map((row) => endpointView(row, secrets.get(row.id) ?? [], more.get(row.id)));
}

/** One endpoint with its health. Throws `endpoint_not_found`. */
export async function getEndpoint(context: WebhookContext, accountId: string, id: string): Promise<Endpoint> {
  const { queries } = context.database;
  const rows = await queries.select().from(webhookEndpoints).where(ownEndpoint(accountId, id));
  const [view] = await endpointViews(queries, rows);
  if (!view) throw endpointNotFound();
  return view;
}
