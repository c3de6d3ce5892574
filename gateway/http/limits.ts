import type { FastifyReply } from "fastify";
import type { ErrorCode } from "#contract/error.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Limit, Limiter, Taken } from "#gateway/limits/limiter.ts";
import { addressBlock } from "#gateway/network/address-block.ts";
import type { App } from "./app.ts";
import { whenClosed } from "./when-closed.ts";

const minuteMs = 60_000;
const limitCodes: ReadonlySet<ErrorCode | null> = new Set([
  "rate_limit_exceeded",
  "concurrency_limit_exceeded",
]);

/**
 * Enforces limits before the body is read: rate and concurrency per key or user for operations, the request rate per
 * key or session for everything else, per address for public routes that take work. Throws `rate_limit_exceeded`, `concurrency_limit_exceeded`.
 */
export function installLimits(app: App, context: Context): void {
  const { limiter, config } = context;
  const apiRequests: Limit = { name: "requests", count: config.apiRequestsPerMinute, periodMs: minuteMs };
  const publicRequests: Limit = {
    name: "public requests",
    count: config.publicRequestsPerMinute,
    periodMs: minuteMs,
  };
  app.addHook("onRequest", async (request, reply) => {
    const { actor } = request;
    if (!actor) {
      if (request.routeOptions.config.limitedByAddress)
        await takePublic(limiter, request.clientAddress, publicRequests);
      return;
    }
    if (request.routeOptions.config.operation) {
      const { places, rate } = operationLimits(config, actor);
      await occupyPlace(limiter, actor.id, places, reply);
      return takeOperation(limiter, actor.id, rate, reply);
    }
    const taken = await limiter.take(subjectOf(actor), apiRequests);
    if (!taken.allowed) throw tooManyRequests(`More than ${apiRequests.count} requests a minute.`, taken);
  });
}

/** How many operations somebody may run at once and per minute. */
export function operationLimits(
  config: Context["config"],
  { maxConcurrency, requestsPerMinute }: Actor,
): { places: number; rate: Limit } {
  const count = requestsPerMinute ?? config.requestsPerMinute;
  return {
    places: maxConcurrency ?? config.maxConcurrency,
    rate: { name: "operations", count, periodMs: minuteMs },
  };
}

/** A key and its sessions share one count. */
function subjectOf({ kind, id, sessionId }: Actor): string {
  return kind === "key" ? id : (sessionId ?? id);
}

/** Whether a request was rejected by a limit: a client at its limit can send thousands a second. */
export function isLimitRefusal(code: ErrorCode | null): boolean {
  return limitCodes.has(code);
}

/** The error for a request beyond a limit. */
export function tooManyRequests(message: string, { retryAfterMs }: Pick<Taken, "retryAfterMs">): ApiError {
  return new ApiError("rate_limit_exceeded", message, { retryAfterSeconds: retryAfterMs / 1000 });
}

/** Without the database nothing is counted: what these routes answer needs none. */
async function takePublic(limiter: Limiter, address: string, limit: Limit): Promise<void> {
  const taken = await limiter.take(addressBlock(address), limit).catch(() => null);
  if (taken?.allowed === false)
    throw tooManyRequests(
      `More than ${limit.count} requests a minute without a key came from this address.`,
      taken,
    );
}

async function takeOperation(limiter: Limiter, id: string, rate: Limit, reply: FastifyReply): Promise<void> {
  const taken = await limiter.take(id, rate);
  writeHeaders(reply, taken, rate.count);
  if (!taken.allowed) throw tooManyRequests(`More than ${rate.count} operation requests a minute.`, taken);
}

/** Occupies one of an actor's `places` until the answer has ended. */
async function occupyPlace(limiter: Limiter, id: string, places: number, reply: FastifyReply): Promise<void> {
  const release = await limiter.occupy(id, places);
  if (release === null)
    throw new ApiError(
      "concurrency_limit_exceeded",
      `${places} operations are already running. Wait for one to end.`,
      { retryAfterSeconds: 1 },
    );
  whenClosed(reply.raw, release);
}

/** OpenAI's names and the IETF pair. */
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
