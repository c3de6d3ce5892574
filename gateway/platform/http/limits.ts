import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "#contract/error.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { type Actor, type Holder, holdersOf } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { countRunning, type LoadLabels } from "#gateway/platform/figures/load.ts";
import type { Limit, Limiter, Taken } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import type { App } from "./app.ts";
import { databaseRetrySeconds, isOfAnthropic } from "./errors.ts";
import { whenClosed } from "./when-closed.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Call it to release the operation's slot before its answer has ended. */
    leavePlace: (() => void) | null;
  }
}

export const minuteMs = 60_000;
/** How often the database is checked while requests find all slots occupied. */
const askAgainMs = 1_000;
/**
 * For this time after an outage the database still counts as unavailable, because requests that waited for it
 * need time to end.
 */
const recoveryMs = 5_000;
const limitCodes: ReadonlySet<ErrorCode> = new Set(["rate_limit_exceeded", "concurrency_limit_exceeded"]);

/**
 * Enforces limits before the body is read: rate and concurrency per key or user for operations (`operationCounts`), the request
 * rate per key or session for everything else, and per IP address for public routes that cost work. Throws
 * `rate_limit_exceeded`, `concurrency_limit_exceeded`.
 */
export function installLimits(app: App, context: PlatformContext): void {
  const { limiter, config } = context;
  const apiRequests: Limit = { name: "requests", count: config.apiRequestsPerMinute, periodMs: minuteMs };
  const publicRequests: Limit = {
    name: "public requests",
    count: config.publicRequestsPerMinute,
    periodMs: minuteMs,
  };
  const isDatabaseAway = databaseWatch(context);
  app.decorateRequest("leavePlace", null);
  app.addHook("onRequest", async (request, reply) => {
    const { actor } = request;
    if (!actor) {
      if (request.route.config.limitedByAddress)
        await takePublic(limiter, request.clientAddress, publicRequests);
      return;
    }
    if (request.inner?.actor) return;
    const { operation, asMuchAsOperation } = request.route.config;
    if (operation || asMuchAsOperation) {
      const counts = operationCounts(config, actor);
      const leave = await occupyPlaces(limiter, actor, counts, () => loadOf(request));
      if (typeof leave !== "function") throw await allOccupied(leave, isDatabaseAway);
      whenClosed(reply.raw, leave);
      request.leavePlace = leave;
      return takeOperation(limiter, counts, reply);
    }
    const taken = await limiter.take(subjectOf(actor), apiRequests);
    if (!taken.allowed) throw tooManyRequests(`More than ${apiRequests.count} requests a minute.`, taken);
    if (request.route.config.stream) await becomeStream(context, request, reply);
  });
}

/** A count that an operation belongs to: the caller's, its service key's or its account's. */
export interface OperationCount {
  whose: "caller" | "service key" | "account";
  subject: string;
  /** How many operations may run at once; null: no limit. */
  places: number | null;
  /** How many may begin in a minute; null: no limit. */
  rate: Limit | null;
}

/**
 * The counts of a caller's operations. The key of a rule counts in its own only what it limits itself, because the
 * usual limits are those of the service key as which it acts.
 */
export function operationCounts(config: PlatformContext["config"], actor: Actor): OperationCount[] {
  const { operatorLimits, accountId } = actor;
  const counts: OperationCount[] = [];
  for (const holder of holdersOf<Holder>(actor)) {
    const isActing = holder === actor && actor.actsAs != null;
    const { id, maxConcurrency, requestsPerMinute, operatorKeyLimits } = holder;
    const places = lower(
      maxConcurrency ?? (isActing ? null : config.maxConcurrency),
      operatorKeyLimits?.max_concurrency,
    );
    const count = lower(
      requestsPerMinute ?? (isActing ? null : config.requestsPerMinute),
      operatorKeyLimits?.requests_per_minute,
    );
    const rate = count === null ? null : { name: "operations", count, periodMs: minuteMs };
    counts.push({ whose: holder === actor ? "caller" : "service key", subject: id, places, rate });
  }
  const places = operatorLimits?.max_concurrency ?? null;
  const count = operatorLimits?.requests_per_minute ?? config.accountRequestsPerMinute;
  const rate = count === null ? null : { name: "operations of the account", count, periodMs: minuteMs };
  if (places !== null || rate) counts.push({ whose: "account", subject: accountId, places, rate });
  return counts;
}

function lower(limit: number | null, other: number | null | undefined): number | null {
  return limit !== null && other != null ? Math.min(limit, other) : (limit ?? other ?? null);
}

const names = {
  caller: "",
  "service key": " with the service key, all its key rules together",
  account: " in this account, all its keys together",
} as const;

/** The places that are all taken. */
interface Full {
  places: number;
  whose: OperationCount["whose"];
}

/**
 * Occupies a place in each count that limits them until the returned function is called. Returns which places are all
 * taken if one of them is not free. `where` says what runs there.
 */
export async function occupyPlaces(
  limiter: Limiter,
  { id, accountId }: Actor,
  counts: readonly Omit<OperationCount, "rate">[],
  where: () => Partial<LoadLabels> = () => ({}),
): Promise<(() => void) | Full> {
  const held: (() => void)[] = [];
  const leave = () => {
    for (const release of held) release();
  };
  try {
    for (const { subject, places, whose } of counts) {
      if (places === null) continue;
      const asked = limiter.occupy(subject, places);
      const place = asked instanceof Promise ? await asked : asked;
      if (place === null) {
        leave();
        return { places, whose };
      }
      held.push(place);
    }
  } catch (error) {
    leave();
    throw error;
  }
  held.push(countRunning(() => ({ accountId, keyId: id, ...where() })));
  return leave;
}

/** What a request loads. */
export function loadOf(
  request: FastifyRequest,
): Required<Pick<LoadLabels, "model" | "provider" | "region" | "operation">> {
  return {
    model: request.operationModel ?? "",
    provider: request.operationTrace?.provider ?? "",
    region: request.operationRegion ?? "",
    operation: `${request.method} ${request.route.url ?? "unknown"}`,
  };
}

/** A key, its sessions and the rules that act as it share one counter. */
function subjectOf({ kind, id, sessionId, actsAs }: Actor): string {
  return kind === "key" ? (actsAs?.id ?? id) : (sessionId ?? id);
}

/** Whether a limit rejected a request: a client at its limit can send thousands per second. */
export function isLimitRefusal(code: ErrorCode | undefined): boolean {
  return code !== undefined && limitCodes.has(code);
}

/** The error for a request beyond a limit. */
export function tooManyRequests(message: string, { retryAfterMs }: Pick<Taken, "retryAfterMs">): ApiError {
  return new ApiError("rate_limit_exceeded", message, { retryAfterSeconds: retryAfterMs / 1000 });
}

/** While the database is unavailable nothing is counted, because these routes work without it. */
async function takePublic(limiter: Limiter, address: string, limit: Limit): Promise<void> {
  const count = async () => limiter.take(addressBlock(address), limit);
  const taken = await count().catch(() => null);
  if (taken?.allowed === false)
    throw tooManyRequests(
      `More than ${limit.count} requests a minute without a key came from this address.`,
      taken,
    );
}

/** Counts an operation that was refused before it became a request. Throws `rate_limit_exceeded`. */
export async function countRefused({ limiter, config }: PlatformContext, actor: Actor): Promise<void> {
  await takeOperation(limiter, operationCounts(config, actor), null);
}

/** A rate, and its state after an operation was counted in it. */
export interface RateTaken extends Pick<OperationCount, "whose" | "subject"> {
  rate: Limit;
  taken: Taken;
}

/**
 * Counts an operation in all rates, or in none if one has no room: this is then the last of those returned. `spared`:
 * how many of a rate must remain.
 */
export async function takeRates(
  limiter: Limiter,
  counts: readonly OperationCount[],
  spared: (count: RateTaken) => number = () => 0,
): Promise<{ hasRoom: boolean; rates: RateTaken[] }> {
  const rates: RateTaken[] = [];
  for (const { whose, subject, rate } of counts) {
    if (rate === null) continue;
    const asked = limiter.take(subject, rate);
    const taken = asked instanceof Promise ? await asked : asked;
    const one = { whose, subject, rate, taken };
    rates.push(one);
    if (taken.allowed && taken.remaining >= spared(one)) continue;
    const counted = rates.filter((of) => of.taken.allowed);
    await Promise.all(counted.map((of) => limiter.giveBack(of.subject, of.rate)));
    return { hasRoom: false, rates };
  }
  return { hasRoom: true, rates };
}

async function takeOperation(
  limiter: Limiter,
  counts: readonly OperationCount[],
  reply: FastifyReply | null,
): Promise<void> {
  const { hasRoom, rates } = await takeRates(limiter, counts);
  let tightest: RateTaken | null = null;
  for (const one of rates)
    if (one.whose !== "account" && !(tightest && tightest.taken.remaining <= one.taken.remaining))
      tightest = one;
  if (reply && tightest) writeHeaders(reply, tightest.taken, tightest.rate.count);
  const last = rates.at(-1);
  if (!hasRoom && last)
    throw tooManyRequests(
      `More than ${last.rate.count} operation requests a minute${names[last.whose]}.`,
      last.taken,
    );
}

/** Counts a request as an event stream until it ends, and no longer as an operation. */
export async function becomeStream(
  { limiter, config: { streamsPerKey: places } }: PlatformContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const release = await limiter.occupy(`streams of ${subjectOf(request.caller.actor)}`, places);
  if (release === null)
    throw new ApiError(
      "concurrency_limit_exceeded",
      `${places} event streams are already open with this key or session. Close one first.`,
      { retryAfterSeconds: 1 },
    );
  whenClosed(reply.raw, release);
  request.leavePlace?.();
}

/**
 * Whether the database is or just was unavailable: requests that wait for it then hold their slots. Checked
 * at most once per `askAgainMs`, because a client at its limit can send thousands of requests per second.
 */
function databaseWatch({ database }: PlatformContext): () => Promise<boolean> {
  let askedAt = -Infinity;
  let awayAt = -Infinity;
  let asking: Promise<void> = Promise.resolve();
  return async () => {
    if (performance.now() - askedAt >= askAgainMs) {
      askedAt = performance.now();
      asking = database.isReady().then((isReady) => {
        if (!isReady) awayAt = performance.now();
      });
    }
    await asking;
    return performance.now() - awayAt < recoveryMs;
  };
}

async function allOccupied(
  { places, whose }: Full,
  isDatabaseAway: () => Promise<boolean>,
): Promise<ApiError> {
  if (await isDatabaseAway())
    return new ApiError(
      "service_unavailable",
      "Earlier requests are waiting for the gateway's database. Try again soon.",
      { retryAfterSeconds: databaseRetrySeconds },
    );
  return new ApiError(
    "concurrency_limit_exceeded",
    `${places} operations are already running${names[whose]}. Wait for one to end.`,
    { retryAfterSeconds: 1 },
  );
}

/** A limit of tokens per minute, for the headers of an answer. */
export function writeTokenHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { remaining, resetMs }: Taken,
  perMinute: number,
): void {
  reply.headers({
    "x-ratelimit-limit-tokens": String(perMinute),
    "x-ratelimit-remaining-tokens": String(remaining),
    "x-ratelimit-reset-tokens": `${(resetMs / 1000).toFixed(1)}s`,
    ...(isOfAnthropic(request) && {
      "anthropic-ratelimit-tokens-limit": String(perMinute),
      "anthropic-ratelimit-tokens-remaining": String(remaining),
      "anthropic-ratelimit-tokens-reset": new Date(clock.now() + resetMs).toISOString(),
    }),
  });
}

/** OpenAI's headers and the two of the IETF. */
function writeHeaders(reply: FastifyReply, { remaining, resetMs }: Taken, perMinute: number): void {
  const resetSeconds = resetMs / 1000;
  reply.headers({
    "x-ratelimit-limit-requests": String(perMinute),
    "x-ratelimit-remaining-requests": String(remaining),
    "x-ratelimit-reset-requests": `${resetSeconds.toFixed(1)}s`,
    "ratelimit-policy": `"default";q=${perMinute};w=60`,
    ratelimit: `"default";r=${remaining};t=${Math.ceil(resetSeconds)}`,
  });
}
