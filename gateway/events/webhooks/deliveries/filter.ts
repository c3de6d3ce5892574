import type { DeliveryFilter } from "#contract/webhook.ts";
import { type DeliveryStatus, deliveryStatuses } from "#contract/webhook-constants.ts";
import {
  and,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  QueryBuilder,
  type SQL,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { idsOfTimes } from "#gateway/platform/database/keyset.ts";
import { hasPair } from "#gateway/platform/database/metadata-filter.ts";
import {
  webhookDeliveries as deliveries,
  webhookDeliveryKeys as keys,
  predictions,
} from "#gateway/platform/database/schema.ts";

/*
 * Columns of a delivery that never change are searched in the table of its keys, all others in its own table.
 * Account, id and time are in both tables: a filter that needs both tables applies them to both, so that the
 * planner can start from either.
 */

/** Whether a filter includes a column that changes, so that the keys alone are not enough. */
export function namesState({ status, retried, error_code, status_class }: DeliveryFilter): boolean {
  return [status, retried, error_code, status_class].some((value) => value !== undefined);
}

/** Whether a filter includes a constant column besides account, id and time. */
export function namesKeys(filter: DeliveryFilter): boolean {
  const { event_id, endpoint_id, prediction_id, event_type, metadata } = filter;
  return [event_id, endpoint_id, prediction_id, event_type, metadata].some((value) => value !== undefined);
}

/** The account's keys that match a filter's constant columns. */
export function keysMatching(accountId: string, filter: DeliveryFilter): SQL | undefined {
  return and(
    within(keys, accountId, filter),
    filter.event_id === undefined ? undefined : eq(keys.eventId, filter.event_id),
    filter.endpoint_id === undefined ? undefined : eq(keys.endpointId, filter.endpoint_id),
    filter.prediction_id === undefined ? undefined : eq(keys.predictionId, filter.prediction_id),
    filter.event_type === undefined ? undefined : eq(keys.eventType, filter.event_type),
    filter.metadata === undefined ? undefined : ofPredictionsWith(accountId, filter.metadata),
  );
}

function ofPredictionsWith(accountId: string, pair: string): SQL {
  const ids = new QueryBuilder()
    .select({ id: predictions.id })
    .from(predictions)
    .where(and(eq(predictions.accountId, accountId), hasPair(predictions.metadata, pair)));
  return inArray(keys.predictionId, ids);
}

/** The account's deliveries that match a filter's changing columns. */
export function stateMatching(accountId: string, filter: DeliveryFilter): SQL | undefined {
  const { status_class: statusClass } = filter;
  return and(
    within(deliveries, accountId, filter),
    filter.status === undefined ? undefined : hasStatus(filter.status),
    filter.retried === undefined ? undefined : wasRetried(filter.retried),
    filter.error_code === undefined ? undefined : eq(deliveries.lastError, filter.error_code),
    statusClass === undefined ? undefined : answeredWith(Number(statusClass[0])),
  );
}

/** The account's deliveries that match a filter; constant columns are looked up in the keys. */
export function deliveriesMatching(accountId: string, filter: DeliveryFilter): SQL | undefined {
  if (!namesKeys(filter)) return stateMatching(accountId, filter);
  const ids = new QueryBuilder().select({ id: keys.id }).from(keys).where(keysMatching(accountId, filter));
  return and(stateMatching(accountId, filter), inArray(deliveries.id, ids));
}

function within(
  table: typeof deliveries | typeof keys,
  accountId: string,
  { id, ...times }: DeliveryFilter,
): SQL | undefined {
  const { from, below } = idsOfTimes("delivery", times);
  return and(
    eq(table.accountId, accountId),
    id === undefined ? undefined : eq(table.id, id),
    from === undefined ? undefined : gte(table.id, from),
    below === undefined ? undefined : lt(table.id, below),
  );
}

/** The status is a literal in the statement, so that the planner can choose the partial index. */
function hasStatus(status: DeliveryStatus): SQL {
  if (!deliveryStatuses.includes(status)) throw new TypeError(`${status} is not a delivery status`);
  return eq(deliveries.status, sql.raw(`'${status}'`));
}

function wasRetried(retried: boolean): SQL {
  return retried ? isNotNull(deliveries.retriedAs) : isNull(deliveries.retriedAs);
}

/**
 * A delivery with a complete 2xx answer has the status `delivered`. For other answers the condition repeats
 * the expression of an index, so that the index is used.
 */
function answeredWith(hundreds: number): SQL {
  if (hundreds === 2) return eq(deliveries.status, "delivered");
  return sql`(${deliveries.lastStatusCode} / 100) = ${hundreds} and ${deliveries.lastStatusCode} >= 300`;
}
