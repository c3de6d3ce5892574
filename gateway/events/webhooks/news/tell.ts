import type { EventType } from "#contract/webhook.ts";
import { failuresUntilReported } from "#contract/webhook-constants.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { webhookEndpoints } from "#gateway/platform/database/schema.ts";
import type { EndpointRow } from "../endpoints/view.ts";
import { deliveriesChannel, emitEvent, eventsChannel } from "../events.ts";
import type { WebhookContext } from "../webhook-context.ts";

type EndpointHealth = Pick<EndpointRow, "status" | "consecutiveFailures" | "failingToldAt" | "lastSuccessAt">;

/** The event to report about an endpoint: that it fails, once, and later that it recovered, once. */
export function newsOf(
  endpoint: EndpointHealth,
): Extract<EventType, "endpoint.failing" | "endpoint.recovered"> | null {
  const { status, consecutiveFailures, failingToldAt, lastSuccessAt } = endpoint;
  // No news after an endpoint was disabled, although an attempt in flight can still succeed.
  if (status !== "enabled") return null;
  if (failingToldAt === null) return consecutiveFailures >= failuresUntilReported ? "endpoint.failing" : null;
  return lastSuccessAt !== null && lastSuccessAt > failingToldAt ? "endpoint.recovered" : null;
}

/**
 * Reports to the account's other endpoints if this endpoint fails or has recovered. Decided under the
 * endpoint's lock, so that it is reported only once.
 */
export async function reportEndpoint(context: WebhookContext, endpointId: string): Promise<void> {
  const told = await context.database.transaction(async (queries) => {
    const [row] = await queries
      .select()
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.id, endpointId), isNull(webhookEndpoints.deletedAt)))
      .for("no key update");
    const news = row ? newsOf(row) : null;
    if (!row || !news) return null;
    await queries
      .update(webhookEndpoints)
      .set({ failingToldAt: news === "endpoint.failing" ? clock.date() : null })
      .where(eq(webhookEndpoints.id, endpointId));
    await emitAbout(context, queries, row, news);
    return row;
  });
  if (told) notifyOfEvents(context, [told.accountId]);
}

/** Writes an event about an endpoint, in the caller's transaction; call `notifyOfEvents` after its commit. */
export async function emitAbout(
  { config }: Pick<Context, "config">,
  queries: Queries,
  row: EndpointRow,
  type: EventType,
): Promise<void> {
  await emitEvent(queries, {
    accountId: row.accountId,
    type,
    subject: { aboutEndpoint: row.id },
    object: endpointObject(row),
    retentionUntil: new Date(clock.now() + config.retentionMs),
  });
}

/** Wakes the delivery workers and the event streams. */
export function notifyOfEvents({ database }: Pick<Context, "database">, accountIds: Iterable<string>): void {
  database.notify(deliveriesChannel);
  for (const accountId of accountIds) database.notify(eventsChannel, accountId);
}

/** `data.object` of an event about an endpoint. */
export function endpointObject(row: EndpointRow) {
  return {
    id: row.id,
    object: "webhook.endpoint",
    url: row.url,
    description: row.description,
    status: row.status,
    disabled_reason: row.disabledReason,
    consecutive_failures: row.consecutiveFailures,
    failing_since: row.failingSince?.toISOString() ?? null,
    last_success_at: row.lastSuccessAt?.toISOString() ?? null,
    last_failure_at: row.lastFailureAt?.toISOString() ?? null,
  };
}
