import type { EndpointHealth } from "#contract/webhook.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, gte, inArray } from "#gateway/platform/database/drizzle.ts";
import { webhookEndpointHours } from "#gateway/platform/database/schema.ts";
import type { EndpointRow } from "./view.ts";
import { countDue, countWaiting } from "./waiting.ts";

const hourMs = 3_600_000;
const hoursShown = 24;

type HourRow = typeof webhookEndpointHours.$inferSelect;

/** Each endpoint's health of the last 24 hours, and the number of its waiting deliveries. */
export async function conditionOf(
  queries: Queries,
  endpoints: readonly EndpointRow[],
): Promise<Map<string, { health: EndpointHealth; waiting_deliveries: number }>> {
  const stopped = endpoints.filter(({ status }) => status !== "enabled").map(({ id }) => id);
  const paced = endpoints.filter((one) => one.status === "enabled" && one.ratePerSecond !== null);
  const [health, held, due] = await Promise.all([
    healthOf(queries, endpoints),
    countWaiting(queries, stopped),
    countDue(
      queries,
      paced.map(({ id }) => id),
    ),
  ]);
  const waiting = new Map([...held, ...due]);
  return new Map(
    [...health].map(([id, one]) => [id, { health: one, waiting_deliveries: waiting.get(id) ?? 0 }]),
  );
}

async function healthOf(
  queries: Queries,
  endpoints: readonly EndpointRow[],
  now: Date = clock.date(),
): Promise<Map<string, EndpointHealth>> {
  if (endpoints.length === 0) return new Map();
  const firstHour = Math.floor(now.getTime() / hourMs) * hourMs - (hoursShown - 1) * hourMs;
  const rows = await queries
    .select()
    .from(webhookEndpointHours)
    .where(
      and(
        inArray(
          webhookEndpointHours.endpointId,
          endpoints.map((endpoint) => endpoint.id),
        ),
        gte(webhookEndpointHours.hour, new Date(firstHour)),
      ),
    );
  const byEndpoint = Map.groupBy(rows, (row) => row.endpointId);
  return new Map(
    endpoints.map((endpoint) => [
      endpoint.id,
      healthView(endpoint, byEndpoint.get(endpoint.id) ?? [], firstHour),
    ]),
  );
}

function healthView(endpoint: EndpointRow, rows: readonly HourRow[], firstHour: number): EndpointHealth {
  const sum = (count: (row: HourRow) => number) => rows.reduce((total, row) => total + count(row), 0);
  const delivered = sum((row) => row.delivered);
  const finished = delivered + sum((row) => row.failed);
  const byHour = new Map(rows.map((row) => [row.hour.getTime(), row]));
  return {
    deliveries_24h: sum((row) => row.deliveries),
    success_rate_24h: finished === 0 ? null : delivered / finished,
    consecutive_failures: endpoint.consecutiveFailures,
    last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
    last_failure_at: endpoint.lastFailureAt?.toISOString() ?? null,
    hourly: Array.from({ length: hoursShown }, (_, index) => {
      const at = firstHour + index * hourMs;
      const row = byHour.get(at);
      return { at: new Date(at).toISOString(), delivered: row?.delivered ?? 0, failed: row?.failed ?? 0 };
    }),
  };
}
