import type { Logger } from "pino";

export interface Batch<Item> {
  add(item: Item): void;
  /** The number of items waiting to be written. */
  waiting(): number;
  /** Writes all waiting items. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const everyMs = 500;
/** Limits one statement, so that its time is bounded. */
const maxRowsAtOnce = 5_000;
/** Beyond this number the oldest items are dropped, except with "keep all". */
const maxWaiting = 50_000;

/**
 * Collects rows and writes them together, so that requests do not wait for these writes. Failed writes are
 * retried. With "drop oldest" the memory is bounded during an outage; with "keep all" the caller must bound
 * its additions.
 */
export function createBatch<Item>(
  name: string,
  log: Logger,
  write: (items: Item[]) => Promise<void>,
  overflow: "drop oldest" | "keep all" = "drop oldest",
): Batch<Item> {
  let waiting: Item[] = [];
  let writing: Promise<void> = Promise.resolve();
  let inHand = 0;
  const writeAll = async (): Promise<void> => {
    for (let left = waiting.length; left > 0; left -= maxRowsAtOnce) {
      const items = waiting.slice(0, Math.min(left, maxRowsAtOnce));
      waiting = waiting.slice(items.length);
      inHand = items.length;
      try {
        await write(items);
      } catch (error) {
        log.warn({ err: error, rows: items.length }, `${name}: write failed, will retry`);
        waiting = [...items, ...waiting];
        if (overflow === "drop oldest") waiting = waiting.slice(-maxWaiting);
        return;
      } finally {
        inHand = 0;
      }
    }
  };
  const flush = (): Promise<void> => {
    writing = writing.then(writeAll);
    return writing;
  };
  const timer = setInterval(flush, everyMs);
  timer.unref();
  return {
    add(item) {
      waiting.push(item);
    },
    waiting: () => waiting.length + inHand,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
