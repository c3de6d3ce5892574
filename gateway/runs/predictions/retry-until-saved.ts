import { setTimeout as sleep } from "node:timers/promises";
import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";

const againAfterMs = 1_000;

/**
 * Retries a write that must not be lost while the database is unavailable: until it is saved, only this
 * process has the upstream's result. Retries until `deadline` or a stop; throws errors caused by the request
 * or the upstream at once.
 */
export async function retryUntilSaved<Result>(
  { log, signal }: Pick<ProviderRequest, "log" | "signal">,
  deadline: Date,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isOurs = !(error instanceof ApiError || error instanceof ProviderError);
      if (!isOurs || signal.aborted || deadline.getTime() <= clock.now()) throw error;
      log.warn({ err: error }, "an upstream's answer could not be saved, will retry");
      await sleep(againAfterMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
