import type { GatewayFailure, GatewayResult } from "./gateway/result.ts";

/** How often in a row, and how long, a run waits when the gateway asks it to (429). */
const maxWaits = 10;
const maxWaitSeconds = 600;

/**
 * Statuses of a call that end a whole run or make it wait. Any other status is the result for the one thing that the
 * call was about.
 */
export const runWide: ReadonlySet<number> = new Set([0, 401, 403, 429, 500, 502, 503, 504]);

/** The wait before the call is repeated, in seconds. Null: the run ends with this failure. `waits` counts from 1. */
export function waitAfter({ status, retryAfterSeconds }: GatewayFailure, waits: number): number | null {
  const seconds = retryAfterSeconds ?? 1;
  return status === 429 && waits <= maxWaits && seconds <= maxWaitSeconds ? seconds : null;
}

/** Waits, but no longer than until `signal` aborts. */
export function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      done();
    }
    signal.addEventListener("abort", end);
  });
}

export interface EachResult<Item, Data> {
  done: { item: Item; data: Data }[];
  /** What the gateway refused, each with its reason. */
  refused: { item: Item; error: GatewayFailure }[];
  /** What was not tried, because the person stopped the run or a call failed for all. */
  left: readonly Item[];
  /** Why the run ended early. Null: it did not, or the person stopped it. */
  error: GatewayFailure | null;
}

interface EachOptions {
  signal: AbortSignal;
  /** Called with the number of calls that have ended. */
  onProgress?: (ended: number) => void;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Makes one call for each item, one after the other. A limit of the gateway (429) is waited for. */
export async function runEach<Item, Data>(
  items: readonly Item[],
  call: (item: Item) => Promise<GatewayResult<Data>>,
  { signal, onProgress, sleep = sleepUntil }: EachOptions,
): Promise<EachResult<Item, Data>> {
  const result: EachResult<Item, Data> = { done: [], refused: [], left: [], error: null };
  let waits = 0;
  for (let index = 0; index < items.length; ) {
    const item = items[index] as Item;
    if (signal.aborted) return { ...result, left: items.slice(index) };
    const answer = await call(item);
    if (!answer.ok && runWide.has(answer.error.status)) {
      waits += 1;
      const seconds = waitAfter(answer.error, waits);
      if (seconds === null) return { ...result, left: items.slice(index), error: answer.error };
      await sleep(seconds * 1000, signal);
      continue;
    }
    waits = 0;
    if (answer.ok) result.done.push({ item, data: answer.data });
    else result.refused.push({ item, error: answer.error });
    index += 1;
    onProgress?.(index);
  }
  return result;
}
