import type { Database } from "#gateway/database/database.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { eventsChannel } from "../events.ts";

/**
 * Calls back when the account has new events, until the function that it returns is called. The database may be away
 * for long: throws `service_unavailable` after `limitMs`, or when the signal aborts.
 */
export async function hearEvents(
  database: Database,
  accountId: string,
  heard: () => void,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<() => void> {
  const listening = database.listen(eventsChannel, (notified) => {
    if (notified === accountId || notified === "") heard();
  });
  const over = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const stop = await Promise.race([listening, aborted(over)]);
  if (stop) return stop;
  listening.then(
    (stop) => stop(),
    () => {},
  );
  throw new ApiError("service_unavailable", "The events cannot be read now. Try again in a moment.");
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}
