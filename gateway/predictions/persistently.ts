import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#gateway/http/api-error.ts";
import { ProviderError, type ProviderRequest } from "#gateway/providers/provider.ts";

const againAfterMs = 1_000;

/**
 * Does what must not be lost, the database being away or not: what an upstream took or made is known to this process
 * alone until it is written. Tried again until `deadline` or a stop; what the request or the upstream is to blame for
 * is thrown at once.
 */
export async function persistently<Result>(
  { log, signal }: Pick<ProviderRequest, "log" | "signal">,
  deadline: Date,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isOurs = !(error instanceof ApiError || error instanceof ProviderError);
      if (!isOurs || signal.aborted || deadline.getTime() <= Date.now()) throw error;
      log.warn({ err: error }, "what an upstream answered could not be kept, will try again");
      await sleep(againAfterMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
