import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, isNull, or, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries } from "#gateway/platform/database/schema.ts";
import { newDelivery } from "./new-delivery.ts";
import type { DeliveryRow } from "./view.ts";

export interface StartedRetry {
  /** The delivery to retry. */
  of: string;
  delivery: DeliveryRow;
  /** False if a manual retry of the same event at the same endpoint was already pending. */
  isNew: boolean;
}

/**
 * Creates a new delivery for each of `originals`, which the caller has locked and found retryable. Ends the
 * originals' own schedules and links each with its retry. The unique index on active retries decides between
 * concurrent callers.
 */
export async function startRetries(
  queries: Queries,
  originals: readonly DeliveryRow[],
  trigger: "manual" | "bulk",
): Promise<StartedRetry[]> {
  const pairs = originals.map((original) => ({
    original,
    retry: newDelivery({
      accountId: original.accountId,
      eventId: original.eventId,
      eventType: original.eventType,
      predictionId: original.predictionId,
      endpointId: original.endpointId,
      url: original.url,
      trigger,
      retryOf: original.id,
    }),
  }));
  if (pairs.length === 0) return [];
  // This comes first: an original that is itself an active retry must leave the unique index before its
  // successor enters.
  await link(
    queries,
    pairs.map(({ original, retry }) => ({ id: original.id, retriedAs: retry.id })),
  );
  const inserted = await queries
    .insert(webhookDeliveries)
    .values(pairs.map(({ retry }) => retry))
    .onConflictDoNothing()
    .returning();
  const made = new Map(inserted.map((row) => [row.retryOf, row]));
  const others = pairs.filter(({ original }) => !made.has(original.id)).map(({ original }) => original);
  const active = await activeRetries(queries, others);
  await link(
    queries,
    others.flatMap((original) => {
      const row = active.get(placeOf(original));
      return row ? [{ id: original.id, retriedAs: row.id }] : [];
    }),
  );
  return originals.flatMap((original) => {
    const row = made.get(original.id) ?? active.get(placeOf(original));
    return row ? [{ of: original.id, delivery: row, isNew: made.has(original.id) }] : [];
  });
}

async function link(queries: Queries, links: { id: string; retriedAs: string }[]): Promise<void> {
  if (links.length === 0) return;
  const ids = sql.param(links.map(({ id }) => id));
  const successors = sql.param(links.map(({ retriedAs }) => retriedAs));
  await queries.execute(
    sql`update webhook_deliveries d set retried_as = l.successor, next_attempt_at = null
        from unnest(${ids}::text[], ${successors}::text[]) as l (id, successor) where d.id = l.id`,
  );
}

async function activeRetries(
  queries: Queries,
  originals: readonly DeliveryRow[],
): Promise<Map<string, DeliveryRow>> {
  if (originals.length === 0) return new Map();
  const rows = await queries
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        inArray(webhookDeliveries.trigger, ["manual", "bulk"]),
        inArray(webhookDeliveries.status, ["pending", "failed"]),
        isNull(webhookDeliveries.retriedAs),
        or(
          ...originals.map(({ eventId, endpointId }) =>
            and(eq(webhookDeliveries.eventId, eventId), eq(webhookDeliveries.endpointId, endpointId)),
          ),
        ),
      ),
    );
  return new Map(rows.map((row) => [placeOf(row), row]));
}

function placeOf({ eventId, endpointId }: Pick<DeliveryRow, "eventId" | "endpointId">): string {
  return `${eventId} ${endpointId}`;
}
