import type { Logger } from "pino";
import type { AttestationKind } from "#contract/attestations.ts";
import type { EventFeed, EventFeedQuery, FeedEvent } from "#contract/event-types.ts";
import { idPrefixes, isId } from "#contract/ids.ts";
import { pageLimit } from "#contract/list-constants.ts";
import type { Response } from "#contract/responses.ts";
import type { Attester } from "#gateway/access/accounts/attestations/gates.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookEvents } from "#gateway/platform/database/schema.ts";
import type { WebhookContext } from "./webhook-context.ts";

/*
 * Below `xmin` nothing changes any more. Transactions known to run in another database of the same PostgreSQL
 * do not count, because they write no events. A transaction whose database is unknown counts, because it may
 * just have ended.
 */
const horizonSql = sql`
  select xmax, coalesce((
    select running from pg_snapshot_xip(snapshot) as running
    where not exists (
      select from pg_stat_activity
      where backend_xid = running::xid and datid <> (select oid from pg_database where datname = current_database())
    )
    order by running limit 1
  ), xmax) as xmin
  from (select pg_current_snapshot() as snapshot, pg_snapshot_xmax(pg_current_snapshot()) as xmax) as now`;

interface Row {
  xmin: string;
  xmax: string;
  id: string | null;
  tx: string;
  type: string;
  body: string | null;
  created_at: string;
}

/**
 * The account's events in an order that never changes behind the reader: only events of transactions older
 * than any running one, so that a transaction that commits late comes later and is never skipped. Throws
 * `invalid_cursor`.
 */
export async function readFeed(
  context: WebhookContext,
  actor: Actor,
  { after, limit = pageLimit.default, type }: EventFeedQuery,
): Promise<EventFeed> {
  const { queries } = context.database;
  const { accountId } = actor;
  const place = after === undefined ? beginning : await placeAfter(queries, accountId, after);
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`;
  const { rows } = await queries.execute<Row & Record<string, unknown>>(sql`
    select horizon.xmin::text, horizon.xmax::text, e.id, e.tx::text, e.type, e.body,
      to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
    from (${horizonSql}) as horizon
    left join lateral (
      select id, tx, type, body, created_at from webhook_events
      where account_id = ${accountId} and (tx, id) > (${place.tx}::xid8, ${place.id}) and tx < horizon.xmin and receiver is null ${ofType}
      order by tx, id limit ${limit + 1}
    ) as e on true`);
  const [{ xmin, xmax } = { xmin: "1", xmax: "1" }] = rows;
  if (BigInt(place.tx) >= BigInt(xmax))
    throw new ApiError(
      "invalid_cursor",
      "This cursor is from before the database was restored from a backup. Start again without a cursor, and skip the ids that you have seen.",
      { param: "after" },
    );
  const events = rows.flatMap(({ id, ...row }) => (id === null ? [] : { id, ...row }));
  const page = events.slice(0, limit);
  const last = page.at(-1);
  const hasMore = events.length > limit;
  return {
    object: "list",
    data: await feedEvents(context, actor, page),
    has_more: hasMore,
    cursor: cursorOf(hasMore && last ? last : later(place, horizonOf(xmin))),
  };
}

/** The reader has seen everything up to the horizon, including types that it did not request. */
function later(place: Place, horizon: Place): Place {
  return BigInt(place.tx) > BigInt(horizon.tx) ? place : horizon;
}

async function placeAfter(queries: Queries, accountId: string, after: string): Promise<Place> {
  const place = placeOf(after);
  if (place) return place;
  if (isId("event", after)) {
    const [row] = await queries
      .select({ id: webhookEvents.id, tx: webhookEvents.tx })
      .from(webhookEvents)
      .where(and(eq(webhookEvents.id, after), eq(webhookEvents.accountId, accountId)));
    if (row) return row;
  }
  throw new ApiError(
    "invalid_cursor",
    "`after` must be the cursor of an earlier answer, or the id of an event.",
    { param: "after" },
  );
}

type EventObject = Record<string, unknown>;

interface ShownEvent {
  event: FeedEvent;
  /** The attestation that the reader lacks, because of which the event is shown without its outputs. */
  gated: AttestationKind | null;
}

/** The events as this reader may see them; an event whose body was removed has no data. */
async function feedEvents(
  context: WebhookContext,
  actor: Actor,
  rows: readonly { id: string; type: string; body: string | null; created_at: string }[],
): Promise<FeedEvent[]> {
  const bodies = rows.flatMap(({ body }) => body ?? []);
  const shown = new Map(
    (await shownEvents(context, actor, bodies)).map(({ event }) => [event.id, event] as const),
  );
  const { accountId: account } = actor;
  return rows.map(
    ({ id, type, created_at: created }) =>
      shown.get(id) ?? { id, object: "event", type, api_version: "v1", created, account, data: null },
  );
}

/**
 * Events as an API reader may see them, made from their stored bodies, in the given order. The stored bodies
 * are complete: the account's registered endpoints get them.
 */
export async function shownEvents(
  context: Pick<EventsContext, "catalog" | "database">,
  reader: Attester,
  bodies: readonly string[],
): Promise<ShownEvent[]> {
  const events = bodies.map((body) => enveloped(JSON.parse(body)));
  const clearance = await Clearance.of(
    context,
    reader,
    events.flatMap((event) => modelOf(event) ?? []),
  );
  return events.map((event) => {
    const model = modelOf(event);
    const gated = model === null ? null : clearance.missing(model);
    return { event: gated === null ? event : withoutOutput(event, gated), gated };
  });
}

/** A callback in Replicate's shape has the prediction alone as its body. */
function enveloped(body: FeedEvent | EventObject): FeedEvent {
  if (body.object === "event") return body as FeedEvent;
  return { type: "prediction.callback", data: { object: body } } as unknown as FeedEvent;
}

/** The model whose output the event contains; null if it contains none. */
function modelOf({ type, data }: FeedEvent): string | null {
  return /^(prediction|response)\./.test(type) ? String(data?.object.model) : null;
}

function withoutOutput(event: FeedEvent, gated: AttestationKind): FeedEvent {
  const object = event.data?.object ?? {};
  const hidden = event.type.startsWith("prediction.")
    ? hiddenPrediction(object, gated)
    : hiddenResponse(object as Response, gated);
  return { ...event, data: { object: hidden } };
}

function hiddenPrediction(prediction: EventObject, gated: AttestationKind): EventObject {
  const files = Array.isArray(prediction.data) ? (prediction.data as EventObject[]) : null;
  const data = files?.map((file) => ({ ...file, url: null, preview_url: null, gated })) ?? null;
  return { ...prediction, output: null, data, gated };
}

/** A response with the chat's texts removed, for a reader who lacks an attestation. */
export function hiddenResponse(response: Response, gated: AttestationKind): Response {
  return { ...response, instructions: null, output: [], gated };
}

/** A position in the order of events: by the transaction that wrote them, then by id. */
interface Place {
  tx: string;
  id: string;
}

/** The position before all events. */
const beginning: Place = { tx: "0", id: "" };

const form = /^(\d{1,20})\.([0-9a-hjkmnp-tv-z]{0,26})$/;

const largestTx = 2n ** 64n - 1n;

/** Sorts after every id. */
const lastUlid = "z".repeat(26);

/**
 * The cursor for the caller to send back. The gateway stores nothing for it, so it stays valid whatever
 * happens here.
 */
function cursorOf({ tx, id }: Place): string {
  return `${tx}.${id.slice(idPrefixes.event.length + 1)}`;
}

/** The position after everything that is final now. */
function horizonOf(xmin: string): Place {
  return { tx: String(BigInt(xmin) - 1n), id: `${idPrefixes.event}_${lastUlid}` };
}

/** Null for an invalid cursor. */
function placeOf(cursor: string): Place | null {
  const [, tx, ulid] = form.exec(cursor) ?? [];
  if (tx === undefined || ulid === undefined || BigInt(tx) > largestTx) return null;
  return { tx, id: ulid === "" ? "" : `${idPrefixes.event}_${ulid}` };
}

const looked = 100;

const batchSize = 5000;

/**
 * Events restored from a dump have transaction ids of another PostgreSQL. Those that this server has not
 * reached yet would be delayed and hide new events, so they are made the oldest. Cheap if there are none.
 */
export async function settleRestored({ pool }: Database, log: Logger): Promise<void> {
  const { rows } = await pool.query<{ foreign: boolean }>(
    `select coalesce(bool_or(tx >= pg_snapshot_xmax(pg_current_snapshot())), false) as foreign
     from (select tx from webhook_events order by id desc limit $1) as newest`,
    [looked],
  );
  if (!rows[0]?.foreign) return;
  let settled = 0;
  let last = "";
  for (;;) {
    const batch = await pool.query<{ id: string | null; rows: number }>(
      `with batch as (select id from webhook_events where id > $1 order by id limit $2),
       changed as (
         update webhook_events e set tx = '0' from batch
         where e.id = batch.id and e.tx >= pg_snapshot_xmax(pg_current_snapshot())
         returning e.id
       )
       select (select max(id) from batch) as id, (select count(*)::int from changed) as rows`,
      [last, batchSize],
    );
    const [done] = batch.rows;
    settled += done?.rows ?? 0;
    if (!done?.id) break;
    last = done.id;
  }
  log.info({ events: settled }, "webhooks: events were restored from another database");
}
