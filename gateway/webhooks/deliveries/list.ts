import { eq } from "drizzle-orm";
import type { List } from "#contract/list.ts";
import type { Delivery, DeliveryQuery } from "#contract/webhook.ts";
import type { Context } from "#gateway/context.ts";
import { keyset, listOf } from "#gateway/database/keyset.ts";
import { webhookDeliveries, webhookEndpoints } from "#gateway/database/schema.ts";
import { deliveriesMatching } from "./filter.ts";
import { deliveryView } from "./view.ts";

/** The delivery log, newest first. */
export async function listDeliveries(
  context: Context,
  accountId: string,
  query: DeliveryQuery,
): Promise<List<Delivery>> {
  const page = keyset(webhookDeliveries.id, query, [deliveriesMatching(accountId, query)]);
  const rows = await context.database.queries
    .select({ delivery: webhookDeliveries, endpointStatus: webhookEndpoints.status })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  return listOf(page, rows, (row) => deliveryView(row.delivery, row.endpointStatus));
}
