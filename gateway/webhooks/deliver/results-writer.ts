import type { Logger } from "pino";
import type { Result } from "./result.ts";

export interface ResultsWriter {
  /** Resolves when the result is durable. */
  add(result: Result): Promise<void>;
  /** Results that are not durable yet. */
  readonly waiting: number;
  /** The last try to write failed: the database does not know yet what was done. */
  readonly isFailing: boolean;
  /** Waits for all of them, at most `timeoutMs`, and then gives the rest up: other workers take them over. */
  drain(timeoutMs: number): Promise<void>;
}

/** So many go at once; fewer wait for a moment. */
const fullBatch = 128;
/** Results that came while a batch was on its way share a statement, a commit and the lock of their endpoint. */
const maxBatch = 512;
const gatherMs = 15;
const retryMs = 500;

/**
 * Writes results together and in their order, so that an endpoint's failures in a row are counted right: while a batch
 * is on its way the next gathers. A database that is away is asked again until it answers; nothing is dropped.
 */
export function createResultsWriter(
  log: Logger,
  write: (results: readonly Result[]) => Promise<void>,
): ResultsWriter {
  const queue: { result: Result; done: () => void }[] = [];
  const whenEmpty: (() => void)[] = [];
  let inHand = 0;
  let isFailing = false;
  let isGivenUp = false;
  let isGathering = false;

  function next(): void {
    if (inHand > 0) return;
    if (queue.length === 0) for (const resolve of whenEmpty.splice(0)) resolve();
    else if (queue.length >= fullBatch) void writeBatch();
    else gather();
  }

  function gather(): void {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      if (inHand === 0 && queue.length > 0) void writeBatch();
    }, gatherMs);
  }

  async function writeBatch(): Promise<void> {
    const batch = queue.splice(0, maxBatch);
    inHand = batch.length;
    await writeUntilDone(batch.map(({ result }) => result));
    inHand = 0;
    for (const { done } of batch) done();
    next();
  }

  async function writeUntilDone(results: readonly Result[]): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await write(results);
        if (tries > 0) log.info({ results: results.length }, "webhooks: attempts written after all");
        isFailing = false;
        return;
      } catch (error) {
        isFailing = true;
        if (isGivenUp) return;
        if (tries === 0)
          log.warn(
            { err: error, results: results.length },
            "webhooks: attempts could not be saved, will retry",
          );
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  return {
    add(result) {
      return new Promise((done) => {
        queue.push({ result, done });
        next();
      });
    },
    get waiting() {
      return queue.length + inHand;
    },
    get isFailing() {
      return isFailing;
    },
    async drain(timeoutMs) {
      const late = new Promise((resolve) => setTimeout(resolve, timeoutMs).unref());
      const empty = new Promise<void>((resolve) => whenEmpty.push(resolve));
      next();
      await Promise.race([empty, late]);
      isGivenUp = true;
    },
  };
}
