import type { Delivery } from "#contract/webhook.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "#gateway/platform/database/schema.ts";
import { deliveriesChannel } from "../events.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { deliveryNotFound } from "./get.ts";
import { refusedRetry, retryRefusal, type SendingAgain } from "./refusal.ts";
import { startRetries } from "./start-retries.ts";
import { deliveryView, receivingEndpoint } from "./view.ts";

/**
 * Retries a failed or dead-letter delivery: sends the same event as a new delivery; the model never runs
 * again. If an earlier manual retry of the event is pending, that one is returned, however many callers ask
 * at once. Throws `delivery_not_found`, `delivery_not_retryable`, `endpoint_disabled`, `payload_purged`.
 */
export function retryDelivery(context: WebhookContext, caller: Caller, id: string): Promise<Delivery> {
  return sendAgain(context, caller, id, "retry");
}

/**
 * Sends an event again that the receiver has already accepted, as a new delivery. This is an extension: the
 * specification retries only failed deliveries.
 */
export function resendDelivery(context: WebhookContext, caller: Caller, id: string): Promise<Delivery> {
  return sendAgain(context, caller, id, "resend");
}

const actions = { retry: "webhook_delivery.retried", resend: "webhook_delivery.resent" } as const;

async function sendAgain(
  context: WebhookContext,
  caller: Caller,
  id: string,
  what: SendingAgain,
): Promise<Delivery> {
  const { accountId } = caller.actor;
  const delivery = await audited(context, caller, actions[what], async (queries) => {
    const { row, ...candidate } = await lockCandidate(context, queries, { accountId, id });
    const refusal = retryRefusal(candidate, what);
    if (refusal) throw refusedRetry(refusal, candidate, what);
    const [retry] = await startRetries(queries, [row], "manual");
    if (!retry) throw deliveryNotFound(context, id);
    const result = deliveryView(retry.delivery, candidate.endpoint);
    if (!retry.isNew) return { unchanged: result };
    return { target: id, detail: { delivery_id: retry.delivery.id, event_id: row.eventId }, result };
  });
  context.database.notify(deliveriesChannel);
  return delivery;
}

async function lockCandidate(
  context: WebhookContext,
  queries: Queries,
  { accountId, id }: { accountId: string; id: string },
) {
  const [found] = await queries
    .select({
      row: webhookDeliveries,
      endpoint: receivingEndpoint,
      endpointUrl: webhookEndpoints.url,
      disabledReason: webhookEndpoints.disabledReason,
      deletedAt: webhookEndpoints.deletedAt,
      body: webhookEvents.body,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, accountId)))
    .for("update", { of: webhookDeliveries });
  if (!found) throw deliveryNotFound(context, id);
  return {
    row: { ...found.row, url: found.endpoint.status === "callback" ? found.row.url : found.endpointUrl },
    status: found.row.status,
    endpoint: found.endpoint,
    endpointId: found.row.endpointId,
    endpointStatus: found.endpoint.status,
    disabledReason: found.disabledReason,
    endpointDeleted: found.deletedAt !== null && found.endpoint.status !== "callback",
    payloadKept: found.body !== null,
  };
}
