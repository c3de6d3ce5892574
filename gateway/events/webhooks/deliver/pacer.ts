import type { Logger } from "pino";
import type { Limit, Limiter } from "#gateway/platform/limits/limiter.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";

/** While the count cannot be read nothing is sent to an endpoint with a rate; it is asked again after this. */
const unknownMs = 1000;
/** Deliveries that may go at once, as a part of a second: a high rate needs few questions, a low one none in advance. */
const burstSeconds = 0.1;

/** Keeps the rates of endpoints, over all processes together. */
export class Pacer {
  private readonly limiter: Limiter;
  private readonly log: Logger;

  constructor(limiter: Limiter, log: Logger) {
    this.limiter = limiter;
    this.log = log;
  }

  /** 0 when this delivery may be sent now, and it counts; otherwise how long its endpoint waits. */
  async waitMs({ endpointId }: ClaimedDelivery, ratePerSecond: number): Promise<number> {
    try {
      const taken = await this.limiter.take(endpointId, limitOf(ratePerSecond));
      return taken.allowed ? 0 : Math.max(1, taken.retryAfterMs);
    } catch (error) {
      this.log.warn({ err: error }, "webhooks: the rate of an endpoint cannot be counted, will retry");
      return unknownMs;
    }
  }
}

function limitOf(ratePerSecond: number): Limit {
  const count = Math.max(1, Math.floor(ratePerSecond * burstSeconds));
  return { name: "endpoint deliveries", count, periodMs: (count * 1000) / ratePerSecond };
}
