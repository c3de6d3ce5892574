import type { Delivery } from "#contract/webhook.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { inArray } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries } from "#gateway/platform/database/schema.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { deliveryView } from "../deliveries/view.ts";
import { deliveriesChannel, emitEvent, eventsChannel } from "../events.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { lockEndpoint } from "./find.ts";

/** Per endpoint, because each test is a request to a server that may not belong to the account. */
const tests: Limit = { name: "endpoint tests", count: 60, periodMs: 60_000 };

/**
 * Sends a test event to one endpoint, like any other delivery. Throws `endpoint_not_found`, `endpoint_disabled`,
 * `rate_limit_exceeded`.
 */
export async function sendTest(context: WebhookContext, caller: Caller, id: string): Promise<Delivery> {
  const { accountId } = caller.actor;
  const taken = await context.limiter.take(`${accountId} ${id}`, tests);
  if (!taken.allowed)
    throw tooManyRequests(`An endpoint accepts at most ${tests.count} tests a minute.`, taken);
  const delivery = await context.database.transaction(async (queries) => {
    const endpoint = await lockEndpoint(queries, accountId, id);
    if (endpoint.status !== "enabled")
      throw new ApiError(
        "endpoint_disabled",
        `Enable this endpoint first: nothing is sent while it is ${endpoint.status === "paused" ? "paused" : "disabled"}.`,
      );
    const event = await emitEvent(queries, {
      accountId,
      type: "endpoint.test",
      subject: { endpointId: id },
      object: { id, object: "webhook.endpoint", url: endpoint.url, message: "This is a test event." },
      retentionUntil: new Date(clock.now() + context.config.retentionMs),
    });
    const [row] = await queries
      .select()
      .from(webhookDeliveries)
      .where(inArray(webhookDeliveries.id, event?.deliveryIds ?? []));
    if (!row) throw new Error("The test delivery was not inserted");
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "webhook_endpoint.tested",
      targetId: id,
      detail: { delivery_id: row.id },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return deliveryView(row, endpoint);
  });
  context.database.notify(deliveriesChannel);
  context.database.notify(eventsChannel, accountId);
  return delivery;
}
