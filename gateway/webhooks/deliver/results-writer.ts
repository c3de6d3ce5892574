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
const retryMs = 500;

/**
 * Writes results together: while one batch is on its way the next gathers. A database that is away is asked again
 * until it answers; nothing is dropped.
 */
export function createResultsWriter(
  log: Logger,
  write: (results: readonly Result[]) => Promise<void>,
): ResultsWriter {
  const queue: { result: Result; done: () => void }[] = [];
  let inHand = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, maxBatch);
      inHand = batch.length;
      await writeUntilDone(batch.map(({ result }) => result));
      inHand = 0;
      for (const { done } of batch) done();
    }
    running = null;
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
        running ??= run();
      });
    },
    get waiting() {
      return queue.length + inHand;
    },
    async drain(timeoutMs) {
      const late = new Promise((resolve) => setTimeout(resolve, timeoutMs).unref());
      await Promise.race([running, late]);
    },
  };
}
