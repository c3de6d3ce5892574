import { eq } from "drizzle-orm";
import type { Endpoint, EndpointUpdate } from "#contract/webhook.ts";
import { type Caller, recordAudit } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { webhookEndpoints } from "#gateway/database/schema.ts";
import { deliveriesChannel } from "../events.ts";
import { checkedEndpointUrl } from "./check-url.ts";
import { endpointNotFound, liveSecrets, lockEndpoint } from "./find.ts";
import type { EndpointRow } from "./view.ts";
import { endpointView } from "./view.ts";

type Changes = Partial<typeof webhookEndpoints.$inferInsert>;

/**
 * Changes an endpoint. Disabled, its deliveries wait; enabled again, those that are due go out at once and the row of
 * failures starts anew. Throws `endpoint_not_found`, `invalid_webhook_url`.
 */
export async function updateEndpoint(
  context: Context,
  caller: Caller,
  id: string,
  input: EndpointUpdate,
): Promise<Endpoint> {
  const { accountId } = caller.actor;
  const url = input.url === undefined ? undefined : await checkedEndpointUrl(context.config, input.url);
  const updated = await context.database.transaction(async (queries) => {
    const before = await lockEndpoint(queries, accountId, id);
    const changes: Changes = {
      ...(url !== undefined && { url }),
      ...(input.description !== undefined && { description: input.description }),
      ...(input.events !== undefined && { events: input.events }),
      ...statusChanges(before, input.status),
    };
    if (Object.keys(changes).length === 0) return before;
    const [row] = await queries
      .update(webhookEndpoints)
      .set(changes)
      .where(eq(webhookEndpoints.id, id))
      .returning();
    if (!row) throw endpointNotFound();
    const { url: newUrl, description, events, status } = changes;
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "webhook_endpoint.updated",
      targetId: id,
      detail: JSON.parse(JSON.stringify({ url: newUrl, description, events, status })),
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return row;
  });
  if (updated.status === "enabled") context.database.notify(deliveriesChannel);
  const secrets = await liveSecrets(context.database.queries, [id]);
  return endpointView(updated, secrets.get(id) ?? []);
}

function statusChanges(before: EndpointRow, status: EndpointUpdate["status"]): Changes {
  if (status === undefined || status === before.status) return {};
  if (status === "disabled") return { status, disabledReason: "manual" };
  return { status, disabledReason: null, consecutiveFailures: 0, failingSince: null };
}
