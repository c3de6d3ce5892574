import { type BudgetShare, type BudgetThreshold, budgetShares } from "#contract/money/budgets.ts";
import type { EventType } from "#contract/webhook.ts";
import { endpointEventTypes, failuresUntilReported } from "#contract/webhook-constants.ts";
import type { Reached } from "#gateway/billing/budgets/book.ts";
import { endOf } from "#gateway/billing/budgets/state.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, isNull, notInArray, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries, webhookEndpoints } from "#gateway/platform/database/schema.ts";
import { isListed, isThere } from "#gateway/platform/database/tables/webhooks.ts";
import { deliveryView, receivingEndpoint } from "./deliveries/read.ts";
import type { EndpointRow } from "./endpoints/read.ts";
import { deliveriesChannel, emitEvent, emitEvents, eventsChannel } from "./events.ts";
import type { WebhookContext } from "./webhook-context.ts";

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
      .where(and(eq(webhookEndpoints.id, endpointId), sql.raw(isListed())))
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
  { config }: Pick<EventsContext, "config">,
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
export function notifyOfEvents(
  { database }: Pick<EventsContext, "database">,
  accountIds: Iterable<string>,
): void {
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

/** Dead letters of these types are not reported: two dead endpoints would report each other for ever. */
const unreported = [...endpointEventTypes, "endpoint.test"];

/**
 * Reports deliveries that became dead letters to the other endpoints, in the same transaction: one
 * `delivery.exhausted` each. Returns the accounts with new events.
 */
export async function emitExhausted(
  queries: Queries,
  deliveryIds: readonly string[],
  retentionMs: number,
): Promise<Set<string>> {
  if (deliveryIds.length === 0) return new Set();
  const rows = await queries
    .select({ delivery: webhookDeliveries, endpoint: receivingEndpoint })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(
        inArray(webhookDeliveries.id, [...deliveryIds]),
        eq(webhookDeliveries.status, "dead-letter"),
        isNull(webhookDeliveries.retriedAs),
        notInArray(webhookDeliveries.eventType, unreported),
        sql.raw(isThere()),
      ),
    );
  const retentionUntil = new Date(clock.now() + retentionMs);
  await emitEvents(
    queries,
    rows.map(({ delivery, endpoint }) => ({
      accountId: delivery.accountId,
      type: "delivery.exhausted" as const,
      subject: { aboutEndpoint: delivery.endpointId },
      object: deliveryView(delivery, endpoint),
      once: `${delivery.id} exhausted`,
      retentionUntil,
    })),
  );
  return new Set(rows.map(({ delivery }) => delivery.accountId));
}

const batchSize = 100;

/** Reports endpoints that a killed process did not report. */
async function reportLeft(context: WebhookContext): Promise<boolean> {
  const { rows } = await context.database.pool.query<{ id: string }>(
    `select id from webhook_endpoints where ${isListed()} and status = 'enabled' and (
       failing_told_at is null and consecutive_failures >= $1 or last_success_at > failing_told_at)
     limit $2`,
    [failuresUntilReported, batchSize],
  );
  for (const { id } of rows) await reportEndpoint(context, id);
  return rows.length === batchSize;
}

export const endpointNewsSweep: Sweep<WebhookContext> = {
  kind: "endpoint_news",
  run: reportLeft,
  oldestDue: () => null,
};

/** Writes an event for each budget threshold that was reached, in the transaction that metered the runs. */
export async function emitReached(
  queries: Queries,
  reached: readonly Reached[],
  retentionMs: number,
): Promise<void> {
  for (const one of reached)
    await emitEvent(queries, {
      accountId: one.accountId,
      type: "budget.threshold",
      subject: { budgetOf: one.holder },
      object: thresholdOf(one),
      retentionUntil: new Date(clock.now() + retentionMs),
    });
}

/** Call it after the commit. */
export function announceReached(database: Database, reached: readonly Reached[]): void {
  if (reached.length > 0) notifyOfEvents({ database }, new Set(reached.map((one) => one.accountId)));
}

function thresholdOf(reached: Reached): BudgetThreshold {
  const { kind, holder, name, period, startsOn, amount, currency, hard, spent, share } = reached;
  return {
    object: "budget.threshold",
    share: budgetShares.find((known) => known === Number(share)) as BudgetShare,
    holder: { type: kind, id: holder.split(" ")[0] ?? holder, name },
    amount,
    currency,
    period,
    hard,
    spent,
    period_start: startsOn === "" ? null : new Date(startsOn).toISOString(),
    resets_at: endOf(period, startsOn)?.toISOString() ?? null,
  };
}
