import type { Logger } from "pino";
import { firstIdAt, newId, timeOfId } from "#contract/ids.ts";
import type { List, PageQuery } from "#contract/list.ts";
import type { Resend, ResendCreate } from "#contract/resends.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { webhookDeliveries, webhookEndpoints, webhookResends } from "#gateway/platform/database/schema.ts";
import { isListed } from "#gateway/platform/database/tables/webhooks.ts";
import { startRetries } from "./deliveries/retry.ts";
import { countDue, endpointNotFound, lockEndpoint, ownEndpoint } from "./endpoints/read.ts";
import { deliveriesChannel } from "./events.ts";
import type { WebhookContext } from "./webhook-context.ts";

function resendNotFound(): ApiError {
  return new ApiError("resend_not_found", "There is no such resend.");
}

/** One run. Throws `resend_not_found`. */
export async function getResend(
  { database }: WebhookContext,
  accountId: string,
  id: string,
): Promise<Resend> {
  const [found] = await database.queries
    .select({ row: webhookResends, status: webhookEndpoints.status })
    .from(webhookResends)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookResends.endpointId))
    .where(and(eq(webhookResends.id, id), eq(webhookResends.accountId, accountId)));
  if (!found) throw resendNotFound();
  return resendView(found.row, found.status);
}

/** The runs of an endpoint, newest first. Throws `endpoint_not_found`. */
export async function listResends(
  { database }: WebhookContext,
  accountId: string,
  endpointId: string,
  query: PageQuery,
): Promise<List<Resend & { id: string }>> {
  const { queries } = database;
  const [endpoint] = await queries.select().from(webhookEndpoints).where(ownEndpoint(accountId, endpointId));
  if (!endpoint) throw endpointNotFound();
  const page = keyset("resend", webhookResends.id, query, [
    eq(webhookResends.accountId, accountId),
    eq(webhookResends.endpointId, endpointId),
  ]);
  return readPage(queries, page, queries.select().from(webhookResends).$dynamic(), (rows) =>
    rows.map((row) => resendView(row, endpoint.status)),
  );
}

type ResendRow = typeof webhookResends.$inferSelect;

/** A run in the API's form. */
export function resendView(row: ResendRow, endpointStatus: string): Resend & { id: string } {
  return {
    id: row.id,
    object: "webhook.resend",
    endpoint_id: row.endpointId,
    status: row.status,
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    types: row.types,
    include: row.include,
    rate_per_second: row.ratePerSecond,
    total: row.total,
    queued: row.sent,
    gone: row.gone,
    waits_for: row.status === "running" && endpointStatus !== "enabled" ? "endpoint" : null,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}

/** Stops a run: nothing more is queued. A run that has ended stays unchanged. Throws `resend_not_found`. */
export async function stopResend(context: WebhookContext, caller: Caller, id: string): Promise<Resend> {
  const { accountId } = caller.actor;
  await audited(context, caller, "webhook_resend.stopped", async (queries) => {
    const [row] = await queries
      .update(webhookResends)
      .set({ status: "stopped", finishedAt: clock.date() })
      .where(
        and(
          eq(webhookResends.id, id),
          eq(webhookResends.accountId, accountId),
          eq(webhookResends.status, "running"),
        ),
      )
      .returning();
    if (!row) return { unchanged: null };
    const { endpointId, sent, total } = row;
    return { target: endpointId, detail: { resend_id: id, queued: sent, total }, result: null };
  });
  return getResend(context, accountId, id);
}

type Selection = Pick<ResendRow, "accountId" | "endpointId" | "include" | "types" | "until" | "afterId">;

interface Counted {
  total: number;
  gone: number;
}

/**
 * Counts the events in a time range that can be resent to an endpoint and, unless it is a `dry_run`, starts
 * resending them in the background (`runResends`). Throws `endpoint_not_found`, `endpoint_disabled`,
 * `invalid_parameter`, `resend_running`.
 */
export async function startResend(
  context: WebhookContext,
  caller: Caller,
  endpointId: string,
  input: ResendCreate,
): Promise<Resend> {
  const { accountId } = caller.actor;
  const now = clock.date();
  const since = new Date(input.since);
  const until = input.until === undefined || new Date(input.until) > now ? now : new Date(input.until);
  if (since >= until)
    throw invalidParameter("since", "`since` must be earlier than `until`, and in the past.");
  const id = newId("resend");
  const values = {
    id,
    accountId,
    endpointId,
    include: input.include ?? "missed",
    types: input.types ?? null,
    since,
    until,
    ratePerSecond: input.rate_per_second ?? null,
    afterId: beginningAt(since),
    createdAt: new Date(timeOfId(id)),
  } as const;
  return audited<Resend>(context, caller, "webhook_resend.started", async (queries) => {
    const endpoint = await lockEndpoint(queries, accountId, endpointId);
    const counted = await countEvents(queries, values);
    if (input.dry_run)
      return {
        unchanged: {
          ...resendView({ ...values, ...counted, ...notBegun }, endpoint.status),
          id: null,
          status: null,
          created_at: null,
        },
      };
    if (endpoint.status !== "enabled")
      throw new ApiError("endpoint_disabled", "Enable the endpoint first: nothing is sent to it now.");
    const [row] = await queries
      .insert(webhookResends)
      // Removed payloads are counted again when the run reaches them.
      .values({ ...values, total: counted.total })
      .onConflictDoNothing()
      .returning();
    if (!row)
      throw new ApiError(
        "resend_running",
        "A resend to this endpoint is already running. Wait until it ends, or stop it.",
      );
    return {
      target: endpointId,
      detail: {
        resend_id: id,
        since: since.toISOString(),
        until: until.toISOString(),
        include: values.include,
        total: counted.total,
        ...(input.types && { types: input.types }),
      },
      result: resendView(row, endpoint.status),
    };
  });
}

/** The starting position of a run over the events since this time. */
function beginningAt(since: Date): string {
  return firstIdAt("delivery", since.getTime());
}

/** The number of events to resend, and of those that cannot be resent because their payload was removed. */
async function countEvents(queries: Queries, selection: Selection): Promise<Counted> {
  const { rows } = await queries.execute<{ total: number; gone: number }>(sql`
    select count(*) filter (where kept)::int as total, count(*) filter (where not kept)::int as gone
    from (${firstDeliveries(selection)}) as k ${wanted(selection)} where wanted`);
  return rows[0] ?? { total: 0, gone: 0 };
}

/** The first delivery to this endpoint of each event in the time range, ordered by time. */
function firstDeliveries({ accountId, endpointId, types, until, afterId }: Selection): SQL {
  return sql`
    select id, event_id from webhook_delivery_keys
    where account_id = ${accountId} and endpoint_id = ${endpointId} and trigger = 'automatic'
      and id > ${afterId} and id < ${firstIdAt("delivery", until.getTime() + 1)}
      and (${sql.param(types)}::text[] is null or event_type = any (${sql.param(types)}::text[]))
    order by id`;
}

/**
 * Whether an event is to be resent: not if it is still being sent or waits, and, if only missed events are
 * wanted, not if it was ever accepted.
 */
function wanted({ include, endpointId }: Selection): SQL {
  const [open, accepted] = ["open", "accepted"];
  return sql`
    cross join lateral (
      select
        coalesce(bool_or(d.status in ('pending', 'waiting') or d.status = 'failed' and d.next_attempt_at is not null), false)
          as ${sql.identifier(open)},
        coalesce(bool_or(d.status = 'delivered'), false) as ${sql.identifier(accepted)}
      from webhook_delivery_keys s join webhook_deliveries d on d.id = s.id
      where s.event_id = k.event_id and s.endpoint_id = ${endpointId}
    ) as state
    cross join lateral (
      select not state.open and (${include === "all"} or not state.accepted) as wanted, v.body is not null as kept
      from webhook_events v where v.id = k.event_id
    ) as event`;
}

const notBegun = { status: "running", sent: 0, steppedAt: new Date(0), finishedAt: null } as const;

/** How often a process checks for events to resend, and whether a run can continue. */
const lookMs = 1000;
const goOnMs = 100;

/** Resends the events of a time range, together with other processes: each step is taken by one of them. */
export function runResends(database: Database, log: Logger): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isFailing = false;
  const look = async (): Promise<void> => {
    const goesOn = await stepResend(database).catch((error: unknown) => {
      if (!isFailing) log.warn({ err: error }, "webhooks: a resend failed, will retry");
      isFailing = true;
      return null;
    });
    if (goesOn !== null) isFailing = false;
    if (!isStopped) plan(goesOn ? goOnMs : lookMs);
  };
  let looking = Promise.resolve();
  const plan = (ms: number) => {
    timer = setTimeout(() => {
      looking = look();
    }, ms).unref();
  };
  plan(0);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** Events that one step looks at. */
const maxLooked = 500;
/**
 * A step queues deliveries only while fewer than this are due at the endpoint, so that new events do not wait
 * behind thousands of old ones, and a stopped run leaves little in the queue.
 */
const maxDue = 100;

/**
 * Takes the run that has waited longest one step further, in one transaction: the queued deliveries and the
 * run's progress are saved together, so that a killed process queues nothing twice. Returns false if no run
 * can continue now.
 */
export async function stepResend(database: Database): Promise<boolean> {
  const isRunning = eq(webhookResends.status, "running");
  // This check costs a third of a transaction, and most of the time there is nothing.
  const [open] = await database.queries
    .select({ id: webhookResends.id })
    .from(webhookResends)
    .where(isRunning)
    .limit(1);
  if (!open) return false;
  const moved = await database.transaction(async (queries) => {
    const [run] = await queries
      .select()
      .from(webhookResends)
      .where(isRunning)
      .orderBy(asc(webhookResends.steppedAt))
      .limit(1)
      .for("update", { skipLocked: true });
    return run ? step(queries, run) : null;
  });
  if (moved?.queued) database.notify(deliveriesChannel);
  return moved?.goesOn ?? false;
}

interface Moved {
  queued: number;
  /** Whether another step may follow at once. */
  goesOn: boolean;
}

interface Candidate {
  id: string;
  wanted: boolean;
  kept: boolean;
}

async function step(queries: Queries, run: ResendRow): Promise<Moved> {
  const [endpoint] = await queries
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, run.endpointId), sql.raw(isListed())));
  const now = clock.date();
  const save = (changes: Partial<typeof webhookResends.$inferInsert>) =>
    queries.update(webhookResends).set(changes).where(eq(webhookResends.id, run.id));
  if (!endpoint) {
    await save({ status: "stopped", finishedAt: now });
    return { queued: 0, goesOn: true };
  }
  const due = (await countDue(queries, [endpoint.id])).get(endpoint.id) ?? 0;
  const room = endpoint.status === "enabled" ? maxDue - due : 0;
  const limit = Math.min(room, allowedBy(run, now));
  if (limit <= 0) {
    // While only the rate limit holds it back, unused rate accumulates.
    if (room <= 0) await save({ steppedAt: now });
    return { queued: 0, goesOn: false };
  }
  const looked = await nextEvents(queries, run, maxLooked);
  const { send, gone, last } = chosen(looked, limit);
  const queued = await queueAgain(queries, send, endpoint.url);
  const isDone = looked.length < maxLooked && last === looked.at(-1)?.id;
  await save({
    sent: run.sent + queued,
    gone: run.gone + gone,
    afterId: last ?? run.afterId,
    steppedAt: now,
    ...(isDone && { status: "done", finishedAt: now }),
  });
  return { queued, goesOn: true };
}

/** The next events in the time range, including those that are not to be resent. */
async function nextEvents(queries: Queries, selection: Selection, limit: number): Promise<Candidate[]> {
  const { rows } = await queries.execute<{ id: string; wanted: boolean; kept: boolean }>(sql`
    select k.id, wanted, kept from (${firstDeliveries(selection)} limit ${limit}) as k ${wanted(selection)}
    order by k.id`);
  return rows;
}

/** How many deliveries the rate limit allows since the run's last step, at most those of one second. */
function allowedBy({ ratePerSecond, steppedAt }: ResendRow, now: Date): number {
  if (ratePerSecond === null) return Number.POSITIVE_INFINITY;
  const seconds = Math.min(1, (now.getTime() - steppedAt.getTime()) / 1000);
  return Math.floor(ratePerSecond * seconds);
}

function chosen(looked: readonly Candidate[], limit: number) {
  const send: string[] = [];
  let gone = 0;
  let last: string | undefined;
  for (const { id, wanted, kept } of looked) {
    if (wanted && kept) {
      if (send.length === limit) break;
      send.push(id);
    } else if (wanted) gone += 1;
    last = id;
  }
  return { send, gone, last };
}

/**
 * Queues new deliveries of the same events; an event being resent manually at this moment is not sent twice.
 */
async function queueAgain(queries: Queries, ids: string[], url: string): Promise<number> {
  if (ids.length === 0) return 0;
  const originals = await queries
    .select()
    .from(webhookDeliveries)
    .where(and(inArray(webhookDeliveries.id, ids)))
    .orderBy(asc(webhookDeliveries.id))
    .for("update");
  const started = await startRetries(
    queries,
    originals.map((row) => ({ ...row, url })),
    "bulk",
  );
  return started.filter(({ isNew }) => isNew).length;
}
