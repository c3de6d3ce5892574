import type { DeliveryDetail } from "#contract/webhook.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { and, asc, eq } from "#gateway/database/drizzle.ts";
import { forgottenNote } from "#gateway/database/history.ts";
import {
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from "#gateway/database/schema.ts";
import { attemptView, deliveryView, receivingEndpoint } from "./view.ts";

/** One delivery with every attempt. Throws `delivery_not_found`. */
export async function getDelivery(context: Context, accountId: string, id: string): Promise<DeliveryDetail> {
  const { queries } = context.database;
  const [row] = await queries
    .select({
      delivery: webhookDeliveries,
      endpoint: receivingEndpoint,
      body: webhookEvents.body,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, accountId)));
  if (!row) throw deliveryNotFound(context, id);
  const attempts = await queries
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, id))
    .orderBy(asc(webhookAttempts.startedAt), asc(webhookAttempts.succeeded));
  return {
    ...deliveryView(row.delivery, row.endpoint),
    attempt_log: attempts.map((attempt) => attemptView(attempt, row.body)),
  };
}

export function deliveryNotFound({ history }: Context, id: string): ApiError {
  return new ApiError(
    "delivery_not_found",
    `There is no such delivery.${forgottenNote(history, "delivery", id)}`,
  );
}
