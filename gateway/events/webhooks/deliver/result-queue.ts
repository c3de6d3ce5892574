import type { Logger } from "pino";
import type { AttemptResult } from "./attempt-result.ts";

export interface ResultQueue {
  /** Resolves when the result is saved. */
  add(result: AttemptResult): Promise<void>;
  /** Results that are not saved yet. */
  readonly waiting: number;
  /** Whether the last write failed: the results of sent requests are then missing in the database. */
  readonly isFailing: boolean;
  /**
   * Waits until all results are saved, at most `timeoutMs`. Results that are unsaved then are lost, and other
   * workers take over their deliveries.
   */
  drain(timeoutMs: number): Promise<void>;
}

/** A full batch is written at once; a smaller one waits a moment. */
const fullBatch = 128;
/** Results that arrive during a write share the next statement, commit and endpoint lock. */
const maxBatch = 512;
const gatherMs = 15;
const retryMs = 500;

/**
 * Writes results in batches and in order, so that an endpoint's consecutive failures are counted correctly:
 * while one batch is written the next is collected. While the database is unavailable a batch is retried
 * until it is saved; nothing is dropped.
 */
export function createResultQueue(
  log: Logger,
  write: (results: readonly AttemptResult[]) => Promise<void>,
): ResultQueue {
  const queue: { result: AttemptResult; done: () => void }[] = [];
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

  async function writeUntilDone(results: readonly AttemptResult[]): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await write(results);
        if (tries > 0) log.info({ results: results.length }, "webhooks: attempts saved after retries");
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
