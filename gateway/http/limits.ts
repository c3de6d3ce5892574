import type { FastifyReply } from "fastify";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "./actor.ts";
import { ApiError } from "./api-error.ts";
import type { App } from "./app.ts";
import { whenClosed } from "./when-closed.ts";

const minuteMs = 60_000;
/** Idle buckets are dropped when there are more than this. */
const maxBuckets = 50_000;

interface Bucket {
  tokens: number;
  refilledAt: number;
  running: number;
}

/** Rate and concurrency of operation requests, per key or user; refused before the body is read. */
export function installLimits(app: App, context: Context): void {
  const buckets = new Map<string, Bucket>();
  app.addHook("onRequest", async (request, reply) => {
    const { actor } = request;
    if (!actor || !request.routeOptions.config.operation) return;
    const perMinute = actor.requestsPerMinute ?? context.config.requestsPerMinute;
    const bucket = bucketOf(buckets, actor, perMinute);
    refill(bucket, perMinute);
    if (bucket.tokens < 1) {
      writeHeaders(reply, bucket, perMinute);
      const waitMs = ((1 - bucket.tokens) * minuteMs) / perMinute;
      throw new ApiError("rate_limit_exceeded", `More than ${perMinute} operation requests a minute.`, {
        retryAfterSeconds: waitMs / 1000,
      });
    }
    const atOnce = actor.maxConcurrency ?? context.config.maxConcurrency;
    if (bucket.running >= atOnce)
      throw new ApiError(
        "concurrency_limit_exceeded",
        `${atOnce} operations are running already; wait for one to end.`,
        {
          retryAfterSeconds: 1,
        },
      );
    bucket.tokens -= 1;
    bucket.running += 1;
    whenClosed(reply.raw, () => {
      bucket.running -= 1;
    });
    writeHeaders(reply, bucket, perMinute);
  });
}

function bucketOf(buckets: Map<string, Bucket>, actor: Actor, perMinute: number): Bucket {
  const found = buckets.get(actor.id);
  if (found) return found;
  if (buckets.size > maxBuckets) {
    for (const [id, bucket] of buckets) if (bucket.running === 0) buckets.delete(id);
  }
  const bucket = { tokens: perMinute, refilledAt: Date.now(), running: 0 };
  buckets.set(actor.id, bucket);
  return bucket;
}

function refill(bucket: Bucket, perMinute: number): void {
  const now = Date.now();
  bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.refilledAt) * perMinute) / minuteMs);
  bucket.refilledAt = now;
}

/** OpenAI's names and the IETF pair. */
function writeHeaders(reply: FastifyReply, bucket: Bucket, perMinute: number): void {
  const remaining = Math.max(0, Math.floor(bucket.tokens));
  const resetSeconds = Math.max(0, ((perMinute - bucket.tokens) * 60) / perMinute);
  reply.headers({
    "x-ratelimit-limit-requests": String(perMinute),
    "x-ratelimit-remaining-requests": String(remaining),
    "x-ratelimit-reset-requests": `${resetSeconds.toFixed(1)}s`,
    "ratelimit-policy": `"default";q=${perMinute};w=60`,
    ratelimit: `"default";r=${remaining};t=${Math.ceil(resetSeconds)}`,
  });
}
