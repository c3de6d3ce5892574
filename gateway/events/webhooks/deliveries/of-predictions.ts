import type { Receipt } from "#contract/receipts.ts";
import type { DeliveryStatus } from "#contract/webhook-constants.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import type { Keyset } from "#gateway/platform/database/keyset.ts";
import {
  webhookDeliveries as deliveries,
  webhookDeliveryKeys as keys,
  predictions,
  webhookEvents,
} from "#gateway/platform/database/schema.ts";

/* Whether the events of predictions arrived. If a delivery was retried manually, only the retry counts. */

type ReceiptDelivery = NonNullable<Receipt["deliveries"]>[number];

/** The condition of the index `webhook_deliveries_undelivered`. */
const isUndelivered = sql.raw(
  "status in ('failed', 'dead-letter', 'waiting') and retried_as is null and prediction_id is not null",
);

/** How many deliveries of a prediction are read if none of them is undelivered. */
const maxLookedAt = 50;

/**
 * The worst status among the deliveries of each of these predictions; null for a prediction without
 * deliveries.
 */
export async function readDeliveryStatuses(
  queries: Queries,
  accountId: string,
  ids: readonly string[],
): Promise<(id: string) => DeliveryStatus | null> {
  if (ids.length === 0) return () => null;
  // The undelivered statuses are ordered by name, which puts the worst first: `dead-letter`, `failed`,
  // `waiting`. All others are ordered by name backwards: `pending`, `delivered`, `canceled`.
  const { rows } = await queries.execute<{ id: string; status: DeliveryStatus | null }>(sql`
    select asked.id, coalesce(
      (select status from ${deliveries}
       where account_id = ${accountId} and prediction_id = asked.id and ${isUndelivered}
       order by status limit 1),
      (select status from (
         select delivery.status from ${keys} key inner join ${deliveries} delivery on delivery.id = key.id
         where key.prediction_id = asked.id and key.account_id = ${accountId} limit ${maxLookedAt}::int
       ) looked_at
       where status in ('pending', 'delivered', 'canceled') order by status desc limit 1)
    ) as status
    from unnest(${sql.param([...ids])}::text[]) asked (id)`);
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  return (id) => statuses.get(id) ?? null;
}

/** A receipt lists at most this many deliveries. */
const maxNamed = 100;

/** The deliveries of a prediction, or of the events with these `once` keys, oldest first. */
export async function readDeliveriesOf(
  queries: Queries,
  accountId: string,
  of: { predictionId: string } | { once: readonly string[] },
): Promise<ReceiptDelivery[]> {
  const isOne =
    "once" in of
      ? sql`event_id = any (array(select id from ${webhookEvents} where once_key = any (${sql.param([...of.once])}::text[])))`
      : sql`prediction_id = ${of.predictionId}`;
  const rows = await queries
    .select()
    .from(deliveries)
    .where(
      // Materialized, because a plan could otherwise walk all of the account's deliveries in the order of
      // their ids.
      sql`${deliveries.id} = any (array(
        with found as materialized (select id, account_id from ${keys} where ${isOne})
        select id from found where account_id = ${accountId} order by id limit ${maxNamed}::int))`,
    )
    .orderBy(deliveries.id);
  return rows.map((row) => ({
    ...{ id: row.id, event_id: row.eventId, event_type: row.eventType, endpoint_id: row.endpointId },
    ...{ status: row.status, attempts: row.attempts, delivered_at: row.deliveredAt?.toISOString() ?? null },
  }));
}

/** A condition on predictions, for use with other filters: one of its deliveries failed or waits. */
export function isUndeliveredPrediction(accountId: string): SQL {
  return sql`exists (select from ${deliveries}
    where account_id = ${accountId} and prediction_id = ${predictions.id} and ${isUndelivered})`;
}

/**
 * A query for the ids of a page of predictions with a delivery that failed or waits. The query jumps through
 * the index from one such prediction to the next, so its time does not depend on the number of other
 * predictions or of deliveries per prediction.
 */
export function undeliveredIds(accountId: string, page: Keyset): SQL {
  return sql`(
    ${undeliveredInTurn(accountId, page)}
    select found.id from undelivered cross join lateral (
      select ${predictions.id} from ${predictions}
      where ${predictions.id} = undelivered.prediction_id and ${page.where}
      limit 1
    ) found
    limit ${page.limit})`;
}

/** A list with more filters starts from its undelivered predictions if it has at most this many. */
const maxStartedFrom = 100;

/**
 * The ids of the undelivered predictions in the range of a page, if they are few; null if they are many. The
 * planner cannot know this for one account: if its neighbours have many, it expects many here, and reads all
 * predictions to find a page of them.
 */
export async function fewUndeliveredIds(
  queries: Queries,
  accountId: string,
  page: Keyset,
): Promise<string[] | null> {
  const { rows } = await queries.execute<{ prediction_id: string }>(sql`
    ${undeliveredInTurn(accountId, page)}
    select prediction_id from undelivered limit ${maxStartedFrom + 1}::int`);
  return rows.length > maxStartedFrom ? null : rows.map((row) => row.prediction_id);
}

function undeliveredInTurn(accountId: string, page: Keyset): SQL {
  const { from, below } = page.between;
  const direction = page.reversed ? sql`asc` : sql`desc`;
  const next = (beyond: SQL | undefined) => sql`
    select prediction_id from ${deliveries}
    where account_id = ${accountId} and ${isUndelivered}
      ${from === undefined ? sql`` : sql`and prediction_id >= ${from}`}
      ${below === undefined ? sql`` : sql`and prediction_id < ${below}`}
      ${beyond ? sql`and prediction_id ${page.reversed ? sql`>` : sql`<`} ${beyond}` : sql``}
    order by prediction_id ${direction} limit 1`;
  return sql`
    with recursive undelivered as (
      (${next(undefined)})
      union all
      select further.* from undelivered cross join lateral (${next(sql`undelivered.prediction_id`)}) further
    )`;
}
