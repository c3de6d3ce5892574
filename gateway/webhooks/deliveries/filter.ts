import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { encodeTime } from "ulid";
import { idPrefixes } from "#contract/ids.ts";
import type { DeliveryFilter } from "#contract/webhook.ts";
import { webhookDeliveries as deliveries } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";

const ulidTimeLength = 10;
const ulidRandomLength = 16;

/** The deliveries of an account that a filter names; each condition has an index that also gives the order. */
export function deliveriesMatching(accountId: string, filter: DeliveryFilter): SQL | undefined {
  const { status_class: statusClass } = filter;
  return and(
    eq(deliveries.accountId, accountId),
    filter.id === undefined ? undefined : eq(deliveries.id, filter.id),
    filter.event_id === undefined ? undefined : eq(deliveries.eventId, filter.event_id),
    filter.endpoint_id === undefined ? undefined : eq(deliveries.endpointId, filter.endpoint_id),
    filter.prediction_id === undefined ? undefined : eq(deliveries.predictionId, filter.prediction_id),
    filter.status === undefined ? undefined : eq(deliveries.status, filter.status),
    filter.event_type === undefined ? undefined : eq(deliveries.eventType, filter.event_type),
    filter.error_code === undefined ? undefined : eq(deliveries.lastError, filter.error_code),
    statusClass === undefined ? undefined : answeredWith(Number(statusClass[0])),
    filter.created_after === undefined
      ? undefined
      : gte(deliveries.id, firstIdFrom("created_after", filter.created_after)),
    filter.created_before === undefined
      ? undefined
      : lt(deliveries.id, firstIdFrom("created_before", filter.created_before)),
  );
}

/** A whole answer of 2xx is what makes a delivery delivered; the rest is written as its index is. */
function answeredWith(hundreds: number): SQL {
  if (hundreds === 2) return eq(deliveries.status, "delivered");
  return sql`(${deliveries.lastStatusCode} / 100) = ${hundreds} and ${deliveries.lastStatusCode} >= 300`;
}

/** The lowest id of a moment: ids begin with their time, so the primary order answers for time too. */
function firstIdFrom(param: string, text: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at) || at < 0)
    throw new ApiError("invalid_parameter", `${param} must be a time like 2026-11-20T10:00:00Z`, { param });
  return `${idPrefixes.delivery}_${encodeTime(at, ulidTimeLength).toLowerCase()}${"0".repeat(ulidRandomLength)}`;
}
