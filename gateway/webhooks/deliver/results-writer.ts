import type { Logger } from "pino";
import type { Result } from "./result.ts";

export interface ResultsWriter {
  /** Resolves when the result is durable. */
  add(result: Result): Promise<void>;
  /** Results that are not durable yet. */
  readonly waiting: number;
  /** Waits for all of them, at most `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}

const maxBatch = 128;
/** Results of one moment share a statement: planning it costs as much as writing twenty of them. */
const gatherMs = 15;
/** While one batch waits for the disk the database works on the next. */
export const maxBatchesAtOnce = 2;
const retryMs = 500;

/**
 * Writes results together: while a batch is on its way the next gathers. A database that is away is asked again
 * until it answers; nothing is dropped.
 */
export function createResultsWriter(
  log: Logger,
  write: (results: readonly Result[]) => Promise<void>,
): ResultsWriter {
  const queue: { result: Result; done: () => void }[] = [];
  const running = new Set<Promise<void>>();
  let inHand = 0;

  /** The first writer takes whatever is there; another joins for full batches only. */
  function start(): void {
    const least = running.size === 0 ? 1 : maxBatch;
    if (running.size >= maxBatchesAtOnce || queue.length < least) return;
    const work = run(least).finally(() => running.delete(work));
    running.add(work);
  }

  async function run(least: number): Promise<void> {
    while (queue.length >= least) {
      if (queue.length < maxBatch) await new Promise((resolve) => setTimeout(resolve, gatherMs));
      const batch = queue.splice(0, maxBatch);
      inHand += batch.length;
      await writeUntilDone(batch.map(({ result }) => result));
      inHand -= batch.length;
      for (const { done } of batch) done();
    }
  }

  async function writeUntilDone(results: readonly Result[]): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await write(results);
        if (tries > 0) log.info({ results: results.length }, "webhooks: attempts written after all");
        return;
      } catch (error) {
        if (tries === 0)
          log.warn({ err: error, results: results.length }, "webhooks: attempts not written, will try again");
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  return {
    add(result) {
      return new Promise((done) => {
        queue.push({ result, done });
        start();
      });
    },
    get waiting() {
      return queue.length + inHand;
    },
    async drain(timeoutMs) {
      const late = new Promise((resolve) => setTimeout(resolve, timeoutMs).unref());
      await Promise.race([Promise.all(running), late]);
    },
  };
}
