import type { Counted } from "#contract/counted.ts";
import type { List } from "#contract/list.ts";
import type { Delivery, DeliveryQuery } from "#contract/webhook.ts";
import {
  type DeliveryStatus,
  deliveryStatuses,
  retryableDeliveryStatuses,
} from "#contract/webhook-constants.ts";
import { countByStatus } from "#gateway/platform/database/count-by-status.ts";
import { countNotes } from "#gateway/platform/database/count-notes.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { type Keyset, keyset, listOf } from "#gateway/platform/database/keyset.ts";
import {
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
  webhookDeliveryKeys as keys,
  webhookDeliveries,
} from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { keysMatching, namesKeys, namesState, stateMatching } from "./filter.ts";
import { deliveryView, receivingEndpoint } from "./view.ts";

/** The delivery log, newest first. */
export async function listDeliveries(
  context: WebhookContext,
  accountId: string,
  query: DeliveryQuery,
): Promise<List<Delivery>> {
  const { queries } = context.database;
  // The condition of the page already includes the times.
  const { created_after: _, created_before: __, ...filter } = query;
  const byKeys = keyset("delivery", keys.id, query, [keysMatching(accountId, filter)]);
  const byState = keyset("delivery", deliveries.id, query, [stateMatching(accountId, filter)]);
  const rows = namesState(query)
    ? await pageByState(queries, byState, namesKeys(query) ? byKeys : null)
    : await pageByKeys(queries, byKeys);
  const notesOn = await countNotes(
    queries,
    "delivery",
    accountId,
    rows.map(({ delivery }) => delivery.id),
  );
  const list = listOf(byKeys, rows, (row) => ({
    ...deliveryView(row.delivery, row.endpoint),
    notes: notesOn(row.delivery.id),
  }));
  if (!namesState(query)) return withTotal(queries, byKeys, list);
  const keysToo = namesKeys(query) ? byKeys.whole : null;
  return withTotal(queries, byState, list, ({ where }) =>
    keysToo
      ? sql`select 1 from ${deliveries} inner join ${keys} on ${keys.id} = ${deliveries.id} where ${and(where, keysToo.where)}`
      : sql`select 1 from ${deliveries} where ${where}`,
  );
}

/**
 * Selects the ids first: otherwise a plan may scan deliveries in the order of ids until it reaches the page.
 * The column has the name of its table, so that the page's `order by` is also valid in the outer query.
 */
function pageByKeys(queries: Queries, page: Keyset) {
  const ids = queries
    .select({ id: keys.id })
    .from(keys)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit)
    .as("webhook_delivery_keys");
  return rowsOf(queries).innerJoin(ids, eq(ids.id, deliveries.id)).orderBy(page.order);
}

function pageByState(queries: Queries, page: Keyset, byKeys: Keyset | null) {
  const rows = rowsOf(queries).orderBy(page.order).limit(page.limit);
  if (!byKeys) return rows.where(page.where);
  return rows.innerJoin(keys, eq(keys.id, deliveries.id)).where(and(page.where, byKeys.where));
}

function rowsOf(queries: Queries) {
  return queries
    .select({ delivery: deliveries, endpoint: receivingEndpoint })
    .from(deliveries)
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .$dynamic();
}

/**
 * The number of deliveries by status, of those created since a time. A delivery that was retried manually is
 * left out, because its retry is counted.
 */
export async function countDeliveries(
  { database }: WebhookContext,
  accountId: string,
  sinceMs: number,
): Promise<Record<DeliveryStatus, Counted>> {
  const counted = { accountId, kind: "delivery", sinceMs } as const;
  const statuses = deliveryStatuses.filter((status) => !retryableDeliveryStatuses.includes(status));
  // Only failed deliveries can have been retried. All others are counted from the index, without reading
  // their rows.
  const [others, retryable] = await Promise.all([
    countByStatus(database, webhookDeliveries, { ...counted, statuses }),
    countByStatus(database, webhookDeliveries, {
      ...counted,
      statuses: retryableDeliveryStatuses,
      matching: isNull(webhookDeliveries.retriedAs),
    }),
  ]);
  return { ...others, ...retryable };
}
