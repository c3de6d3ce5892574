import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "#contract/error.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { countRunning, type LoadLabels } from "#gateway/platform/figures/load.ts";
import type { Limit, Limiter, Place, Taken } from "#gateway/platform/limits/limiter.ts";
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
 * Enforces limits before the body is read: rate and concurrency per key or user for operations, the request
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
      if (request.routeOptions.config.limitedByAddress)
        await takePublic(limiter, request.clientAddress, publicRequests);
      return;
    }
    if (request.inner?.actor) return;
    const { operation, asMuchAsOperation } = request.routeOptions.config;
    if (operation || asMuchAsOperation) {
      const limits = operationLimits(config, actor);
      const leave = await occupyPlaces(limiter, actor, limits, () => loadOf(request));
      if (typeof leave !== "function") throw await allOccupied(leave, isDatabaseAway);
      whenClosed(reply.raw, leave);
      request.leavePlace = leave;
      return takeOperation(limiter, actor, limits, reply);
    }
    const taken = await limiter.take(subjectOf(actor), apiRequests);
    if (!taken.allowed) throw tooManyRequests(`More than ${apiRequests.count} requests a minute.`, taken);
    if (request.routeOptions.config.stream) await becomeStream(context, request, reply);
  });
}

export interface OperationLimits {
  places: number;
  /** How many operations of the account may run at once; null: no limit. */
  accountPlaces: number | null;
  rate: Limit;
  /** The account's limit, over all its keys and members; null: no limit. */
  accountRate: Limit | null;
}

/** The concurrent operations and the operations per minute of a caller. */
export function operationLimits(
  {
    maxConcurrency: usualPlaces,
    requestsPerMinute: usualRate,
    accountRequestsPerMinute,
  }: PlatformContext["config"],
  { maxConcurrency, requestsPerMinute, operatorLimits, operatorKeyLimits }: Actor,
): OperationLimits {
  const accountRate = operatorLimits?.requests_per_minute ?? accountRequestsPerMinute;
  return {
    places: lower(maxConcurrency ?? usualPlaces, operatorKeyLimits?.max_concurrency),
    accountPlaces: operatorLimits?.max_concurrency ?? null,
    rate: {
      name: "operations",
      count: lower(requestsPerMinute ?? usualRate, operatorKeyLimits?.requests_per_minute),
      periodMs: minuteMs,
    },
    accountRate:
      accountRate === null
        ? null
        : { name: "operations of the account", count: accountRate, periodMs: minuteMs },
  };
}

function lower(limit: number, other: number | null | undefined): number {
  return Math.min(limit, other ?? limit);
}

/** The places that are all taken. */
interface Full {
  places: number;
  whose: "caller" | "account";
}

/**
 * Occupies a place of the caller, and one of its account if these are limited, until the returned function is
 * called. Returns which places are all taken if one of them is not free. `where` says what runs there.
 */
export async function occupyPlaces(
  limiter: Limiter,
  { id, accountId }: Actor,
  { places, accountPlaces }: Pick<OperationLimits, "places" | "accountPlaces">,
  where: () => Partial<LoadLabels> = () => ({}),
): Promise<(() => void) | Full> {
  const own = await limiter.occupy(id, places);
  if (own === null) return { places, whose: "caller" };
  const ended = countRunning(() => ({ accountId, keyId: id, ...where() }));
  const leave = () => {
    ended();
    own();
  };
  if (accountPlaces === null) return leave;
  let ofAccount: Place = null;
  try {
    ofAccount = await limiter.occupy(accountId, accountPlaces);
  } finally {
    if (ofAccount === null) leave();
  }
  if (ofAccount === null) return { places: accountPlaces, whose: "account" };
  return () => {
    ofAccount();
    leave();
  };
}

/** What a request loads. */
export function loadOf(request: FastifyRequest): Partial<LoadLabels> {
  return {
    model: request.operationModel ?? "",
    provider: request.operationTrace?.provider ?? "",
    region: request.operationRegion ?? "",
    operation: `${request.method} ${request.routeOptions.url ?? "unknown"}`,
  };
}

/** A key and its sessions share one counter. */
function subjectOf({ kind, id, sessionId }: Actor): string {
  return kind === "key" ? id : (sessionId ?? id);
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
  await takeOperation(limiter, actor, operationLimits(config, actor), null);
}

async function takeOperation(
  limiter: Limiter,
  { id, accountId }: Actor,
  { rate, accountRate }: OperationLimits,
  reply: FastifyReply | null,
): Promise<void> {
  const taken = await limiter.take(id, rate);
  if (reply) writeHeaders(reply, taken, rate.count);
  if (!taken.allowed) throw tooManyRequests(`More than ${rate.count} operation requests a minute.`, taken);
  if (accountRate === null) return;
  const ofAccount = await limiter.take(accountId, accountRate);
  if (ofAccount.allowed) return;
  await limiter.giveBack(id, rate);
  throw tooManyRequests(
    `More than ${accountRate.count} operation requests a minute in this account, all its keys together.`,
    ofAccount,
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
    `${places} operations are already running${whose === "account" ? " in this account, all its keys together" : ""}. Wait for one to end.`,
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
