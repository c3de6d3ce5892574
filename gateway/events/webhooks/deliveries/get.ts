import type { DeliveryDetail } from "#contract/webhook.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, asc, eq } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import {
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from "#gateway/platform/database/schema.ts";
import { shownEvents } from "../shown-events.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { attemptView, deliveryView, receivingEndpoint } from "./view.ts";

/**
 * One delivery with all attempts. A reader who lacks an attestation sees neither the sent body nor the
 * receiver's answer, which may repeat it. Throws `delivery_not_found`.
 */
export async function getDelivery(
  context: WebhookContext,
  actor: Actor,
  id: string,
): Promise<DeliveryDetail> {
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
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, actor.accountId)));
  if (!row) throw deliveryNotFound(context, id);
  const attempts = await queries
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, id))
    .orderBy(asc(webhookAttempts.startedAt), asc(webhookAttempts.succeeded));
  const [shown] = row.body === null ? [] : await shownEvents(context, actor, [row.body]);
  const gated = shown?.gated ?? null;
  const withoutBodies = { request_body: null, response_body: null, response_headers: null };
  return {
    ...deliveryView(row.delivery, row.endpoint),
    gated,
    attempt_log: attempts.map((attempt) => ({
      ...attemptView(attempt, row.body),
      ...(gated !== null && withoutBodies),
    })),
  };
}

export function deliveryNotFound({ history }: WebhookContext, id: string): ApiError {
  return new ApiError(
    "delivery_not_found",
    `There is no such delivery.${forgottenNote(history, "delivery", id)}`,
  );
}
