import { newId } from "#contract/ids.ts";
import {
  type CallbackEvent,
  type CallbackSecret,
  type CallbackShape,
  callbackEvents,
  endpointUrlMaxLength,
  type RotateSecret,
} from "#contract/webhook.ts";
import { callbackHeader } from "#contract/webhook-constants.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, lt, sql } from "#gateway/platform/database/drizzle.ts";
import {
  accounts,
  callbacks,
  webhookDeliveries,
  webhookEndpoints,
} from "#gateway/platform/database/schema.ts";
import { checkedEndpointUrl } from "./endpoints/create.ts";
import { liveSecrets } from "./endpoints/read.ts";
import { addSecret, replaceSecret } from "./endpoints/rotate-secret.ts";
import { insertEventFor, newDelivery } from "./events.ts";
import { createSecretBox } from "./secrets.ts";

/*
 * A request can name a callback URL for its run. Each account has one hidden endpoint per host in such URLs,
 * and another that owns its callback secret, so that callbacks use the queues, rates, attempts, log and
 * manual retries of every other delivery.
 */

/** At most this many hosts of one account have unsent callbacks at the same time. */
const maxHosts = 20;
/**
 * At most this many requests per second go from one account to one host. Fixed, because a host of callbacks
 * is not disabled after failures, unlike an endpoint.
 */
const ratePerSecond = 20;
/** A callback is removed after this time if its run is no longer in the database. */
const keptMs = 60 * 86_400_000;
/** Callbacks that one step of the sweep removes. */
const sweptAtOnce = 1_000;

/** The callback as a request names it. */
export interface AskedCallback {
  url: unknown;
  shape: CallbackShape;
  /**
   * Names of `callbackEvents`. By default, only the final event is sent and, in Replicate's format, also the
   * outputs, as Replicate does.
   */
  events?: unknown;
  /** The field that errors name. */
  param: string;
}

/** A callback that passed the checks. */
export interface Callback {
  url: string;
  /** Scheme, host and port; each origin has its own queue. */
  origin: string;
  shape: CallbackShape;
  events: CallbackEvent[];
}

/** The callback in a request's `callback_url`, otherwise in its header; undefined if neither names one. */
export function askedCallback(
  { headers }: { headers: Record<string, string | string[] | undefined> },
  inBody: unknown,
): AskedCallback | undefined {
  if (inBody !== undefined && inBody !== null) return { url: inBody, shape: "event", param: "callback_url" };
  const header = headers[callbackHeader];
  return header === undefined ? undefined : { url: header, shape: "event", param: callbackHeader };
}

/**
 * Checks the callback that a request names: its URL by the rules for endpoints, and its host by the account's
 * list. Throws `invalid_webhook_url`, `invalid_parameter`, and `insufficient_scope` for an agent's
 * connection.
 */
export async function checkCallback(
  { config, database }: Pick<EventsContext, "config" | "database">,
  actor: Actor,
  { url: text, shape, events, param }: AskedCallback,
): Promise<Callback> {
  if (!config.extensions)
    throw invalidParameter(
      param,
      `This installation does not accept ${param}, because its extensions are off. Leave it out.`,
    );
  if (actor.boundTo)
    throw new ApiError(
      "insufficient_scope",
      `An agent's connection cannot use callbacks. Leave ${param} out.`,
      { param },
    );
  if (typeof text !== "string" || text === "" || text.length > endpointUrlMaxLength)
    throw invalidParameter(
      param,
      `${param} must be the https address of your receiver, with at most ${endpointUrlMaxLength} characters.`,
    );
  const { url, warning } = await checkedEndpointUrl(config, text).catch((error: unknown) => {
    throw error instanceof ApiError ? new ApiError(error.code, error.message, { param }) : error;
  });
  if (warning)
    throw new ApiError("invalid_webhook_url", `${param} does not resolve to a public address now.`, {
      param,
    });
  const { origin, hostname } = new URL(url);
  const hosts = await allowedHosts(database.queries, actor.accountId);
  if (hosts !== null && !hosts.includes(hostname))
    throw new ApiError(
      "invalid_webhook_url",
      hosts.length === 0
        ? `An owner has switched callbacks off for this account. Leave ${param} out, or ask an owner.`
        : `This account sends callbacks only to the hosts that an owner listed, and ${hostname} is not one of them. Ask an owner to add it.`,
      { param },
    );
  return { url, origin, shape, events: readEvents(events, shape) };
}

function readEvents(events: unknown, shape: CallbackShape): CallbackEvent[] {
  if (events === undefined || events === null)
    return shape === "prediction" ? ["output", "completed"] : ["completed"];
  const known: readonly unknown[] = callbackEvents;
  if (!Array.isArray(events) || events.length > known.length || !events.every((one) => known.includes(one)))
    throw invalidParameter(
      "webhook_events_filter",
      `webhook_events_filter must be a list of ${callbackEvents.join(", ")}.`,
    );
  return [...new Set([...(events as CallbackEvent[]), "completed" as const])];
}

async function allowedHosts(queries: Queries, accountId: string): Promise<string[] | null> {
  const [row] = await queries
    .select({ hosts: accounts.callbackHosts })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row?.hosts ?? null;
}

/**
 * Stores the callback of a run, response or batch, in the transaction that accepts it. Throws
 * `too_many_endpoints` if callbacks already wait for too many hosts of the account.
 */
export async function keepCallback(
  context: Pick<EventsContext, "config">,
  queries: Queries,
  accountId: string,
  subjectId: string,
  { url, origin, shape, events }: Callback,
): Promise<void> {
  const endpointId = await endpointOf(context, queries, accountId, origin);
  await queries.insert(callbacks).values({ subjectId, accountId, endpointId, url, shape, events });
}

async function endpointOf(
  context: Pick<EventsContext, "config">,
  queries: Queries,
  accountId: string,
  origin: string,
): Promise<string> {
  const known = await hidden(queries, accountId, origin);
  if (known) return known;
  await lockCallbacks(queries, accountId);
  await secretHolder(context, queries, accountId);
  const made = await hidden(queries, accountId, origin);
  if (made) return made;
  await assertRoomForHost(queries, accountId);
  return insertHidden(queries, accountId, origin);
}

async function hidden(queries: Queries, accountId: string, callbackHost: string): Promise<string | null> {
  const [row] = await queries
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.accountId, accountId), eq(webhookEndpoints.callbackHost, callbackHost)));
  return row?.id ?? null;
}

async function insertHidden(queries: Queries, accountId: string, callbackHost: string): Promise<string> {
  const id = newId("endpoint");
  await queries.insert(webhookEndpoints).values({
    ...{ id, accountId, callbackHost, url: callbackHost, events: [], status: "callback", ratePerSecond },
    deletedAt: clock.date(),
  });
  return id;
}

/** Takes a lock, so that concurrent requests see each other's hosts. */
function lockCallbacks(queries: Queries, accountId: string): Promise<void> {
  return lockName(queries, `callbacks of ${accountId}`);
}

async function assertRoomForHost(queries: Queries, accountId: string): Promise<void> {
  const { rows } = await queries.execute<{ hosts: number }>(sql`
    select count(*)::int as hosts from webhook_endpoints e
    where e.account_id = ${accountId} and e.callback_host <> ''
      and (exists (select from callbacks c where c.endpoint_id = e.id)
        or exists (select from webhook_deliveries d
          where d.endpoint_id = e.id and d.status in ('pending', 'failed') and d.next_attempt_at is not null))`);
  if ((rows[0]?.hosts ?? 0) >= maxHosts)
    throw new ApiError(
      "too_many_endpoints",
      `This account already has callbacks waiting for ${maxHosts} hosts. Use one of those hosts, or try again later.`,
    );
}

/** The hidden endpoint with the account's callback secret; both are created when first needed. */
async function secretHolder(
  { config }: Pick<EventsContext, "config">,
  queries: Queries,
  accountId: string,
): Promise<string> {
  const known = await hidden(queries, accountId, "");
  if (known) return known;
  const id = await insertHidden(queries, accountId, "");
  await addSecret(config, queries, id);
  return id;
}

/** News about the run, response or batch of a callback. */
export interface CallbackNews {
  subjectId: string;
  accountId: string;
  predictionId: string | null;
  /** The models that made the outputs in the object. */
  models: readonly string[];
  event: CallbackEvent;
  type: string;
  /** The object for a reader with this clearance; Replicate's format also contains the input. */
  object: (clearance: Clearance, shape: CallbackShape) => object;
  /** Distinguishes the events of one subject; each is sent once. */
  once: string;
  retentionUntil: Date;
  traceParent: string | null;
  /** True for the last event, after which the callback is removed. */
  isLast: boolean;
}

/**
 * Writes an event and its delivery for a request's callback, in the caller's transaction. Does nothing if the
 * request named no callback, or if an owner has removed the callback's host since. URLs and texts of gated
 * models are left out unless an owner listed the host. After the commit notify `deliveriesChannel`.
 */
export async function emitCallback(
  context: Pick<EventsContext, "catalog" | "database">,
  queries: Queries,
  news: CallbackNews,
): Promise<void> {
  const [row] = await queries
    .select({ callback: callbacks, hosts: accounts.callbackHosts })
    .from(callbacks)
    .innerJoin(accounts, eq(accounts.id, callbacks.accountId))
    .where(eq(callbacks.subjectId, news.subjectId))
    .for("update", { of: callbacks });
  if (!row) return;
  const { callback, hosts } = row;
  if (news.isLast) await queries.delete(callbacks).where(eq(callbacks.subjectId, news.subjectId));
  const { hostname } = new URL(callback.url);
  if (!callback.events.includes(news.event) || (hosts !== null && !hosts.includes(hostname))) return;
  const clearance =
    hosts === null ? await Clearance.withoutAttestations(context, news.models) : Clearance.full;
  const event = await insertEventFor(queries, {
    ...news,
    receiver: callback.endpointId,
    isEnvelope: callback.shape === "event",
    object: news.object(clearance, callback.shape),
  });
  if (!event) return;
  await queries.insert(webhookDeliveries).values(
    newDelivery({
      accountId: news.accountId,
      eventId: event,
      eventType: news.type,
      predictionId: news.predictionId,
      endpointId: callback.endpointId,
      url: callback.url,
      trigger: "automatic",
    }),
  );
}

/** The secret that signs the account's callbacks, in the format of Replicate's API. */
export async function readCallbackSecret(context: EventsContext, { actor }: Caller): Promise<CallbackSecret> {
  return context.database.transaction(async (queries) => {
    await lockCallbacks(queries, actor.accountId);
    const id = await secretHolder(context, queries, actor.accountId);
    const live = (await liveSecrets(queries, [id])).get(id) ?? [];
    const current = live.find(({ expiresAt }) => expiresAt === null);
    if (!current) throw new Error(`The callbacks of ${actor.accountId} have no secret`);
    return { key: createSecretBox(context.config).open(current, id) };
  });
}

/** Rotates the callback secret like that of an endpoint. Throws `too_many_secrets`. */
export async function rotateCallbackSecret(
  context: EventsContext,
  caller: Caller,
  input: RotateSecret,
): Promise<CallbackSecret> {
  const { accountId } = caller.actor;
  return audited(context, caller, "webhook_callback.secret_rotated", async (queries) => {
    await lockCallbacks(queries, accountId);
    const id = await secretHolder(context, queries, accountId);
    const { secret, overlapSeconds } = await replaceSecret(context.config, queries, id, input);
    return { target: accountId, detail: { overlap_seconds: overlapSeconds }, result: { key: secret } };
  });
}

/** Removes callbacks whose run, response or batch no longer exists. */
export const forgottenCallbackSweep = {
  kind: "callbacks",
  async run({ database }: EventsContext): Promise<boolean> {
    const old = database.queries
      .select({ id: callbacks.subjectId })
      .from(callbacks)
      .where(lt(callbacks.createdAt, new Date(clock.now() - keptMs)))
      .limit(sweptAtOnce);
    const { rowCount } = await database.queries.delete(callbacks).where(inArray(callbacks.subjectId, old));
    return rowCount === sweptAtOnce;
  },
  oldestDue: () => `select min(created_at) + interval '${keptMs} milliseconds' from callbacks`,
};

/**
 * Whether deliveries to an endpoint that is there may be sent now: it is enabled, or it is the hidden endpoint of a
 * callback.
 */
export function acceptsNow(status: string): boolean {
  return status === "enabled" || status === "callback";
}

/**
 * The URL as logs show it: the query of a callback URL is hidden, because it may contain the receiver's
 * secret.
 */
export function shownCallbackUrl(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? url : `${url.slice(0, at)}?…`;
}
