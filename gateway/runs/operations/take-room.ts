import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { operationLimits } from "#gateway/platform/http/limits.ts";

/** Background work leaves this part of the rate and concurrency limits free for single requests. */
const singlePart = 1 / 4;
const placeWaitMs = 400;
const maxWaitMs = 60_000;

/** Thrown when the current limits leave no room to run this work in the background. */
export class NoRoomError extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super("the rate and concurrency limits of this run's key or member leave no room now");
    this.waitMs = Math.min(waitMs, maxWaitMs);
  }
}

/** Takes one concurrency slot; call the returned function at the end. Throws `NoRoomError`. */
export async function takePlace({ limiter, config }: Context, actor: Actor): Promise<() => void> {
  const { places } = operationLimits(config, actor);
  const release = await limiter.occupy(actor.id, Math.max(1, places - spared(places)));
  if (release === null) throw new NoRoomError(placeWaitMs);
  return release;
}

/**
 * Takes a slot as `takePlace` does, and counts the work in the rate limit, because no request of this work
 * was counted there.
 */
export async function takeRoom(context: Context, actor: Actor): Promise<() => void> {
  const { limiter, config } = context;
  const { rate, accountRate } = operationLimits(config, actor);
  const release = await takePlace(context, actor);
  try {
    const { allowed, remaining, retryAfterMs } = await limiter.take(actor.id, rate);
    if (!allowed) throw new NoRoomError(retryAfterMs);
    const short = spared(rate.count) - remaining;
    const ofAccount = short <= 0 && accountRate ? await limiter.take(actor.accountId, accountRate) : null;
    if (short <= 0 && ofAccount?.allowed !== false) return release;
    await limiter.giveBack(actor.id, rate);
    throw new NoRoomError(ofAccount?.retryAfterMs ?? (short * rate.periodMs) / rate.count);
  } catch (error) {
    release();
    throw error;
  }
}

function spared(count: number): number {
  return Math.floor(count * singlePart);
}
