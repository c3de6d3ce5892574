import { newId } from "#contract/ids.ts";
import type { Delivery } from "#contract/webhook.ts";
import { type Caller, recordAudit } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { webhookDeliveries, webhookEvents } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { newDelivery } from "../deliveries/new-delivery.ts";
import { deliveryView } from "../deliveries/view.ts";
import { deliveriesChannel, eventBody, eventsChannel } from "../events.ts";
import { lockEndpoint } from "./find.ts";

const type = "endpoint.test";

/** Sends a test event to one endpoint, like any other delivery. Throws `endpoint_not_found`, `endpoint_disabled`. */
export async function sendTest(context: Context, caller: Caller, id: string): Promise<Delivery> {
  const { accountId } = caller.actor;
  const delivery = await context.database.transaction(async (queries) => {
    const endpoint = await lockEndpoint(queries, accountId, id);
    if (endpoint.status !== "enabled")
      throw new ApiError(
        "endpoint_disabled",
        "Enable this endpoint first: nothing is sent while it is disabled.",
      );
    const eventId = newId("event");
    const createdAt = new Date();
    const object = { id, object: "webhook.endpoint", url: endpoint.url, message: "This is a test event." };
    await queries.insert(webhookEvents).values({
      id: eventId,
      accountId,
      type,
      body: eventBody({ id: eventId, type, accountId, createdAt, object }),
      createdAt,
      payloadExpiresAt: new Date(createdAt.getTime() + context.config.retentionMs),
    });
    const [row] = await queries
      .insert(webhookDeliveries)
      .values(
        newDelivery({
          accountId,
          eventId,
          eventType: type,
          predictionId: null,
          endpointId: id,
          url: endpoint.url,
          trigger: "test",
        }),
      )
      .returning();
    if (!row) throw new Error("The test delivery was not stored");
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "webhook_endpoint.tested",
      targetId: id,
      detail: { delivery_id: row.id },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return deliveryView(row, endpoint.status);
  });
  context.database.notify(deliveriesChannel);
  context.database.notify(eventsChannel, accountId);
  return delivery;
}
