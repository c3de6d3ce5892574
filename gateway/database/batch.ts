import type { Logger } from "pino";

export interface Batch<Item> {
  add(item: Item): void;
  /** Writes what is waiting. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const everyMs = 500;
/** Beyond this the oldest items are dropped: a log must not take the process down with the database. */
const maxWaiting = 50_000;

/** Collects rows and writes them together, so that a request never waits for its own bookkeeping. */
export function createBatch<Item>(
  name: string,
  log: Logger,
  write: (items: Item[]) => Promise<void>,
): Batch<Item> {
  let waiting: Item[] = [];
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      if (waiting.length === 0) return;
      const items = waiting;
      waiting = [];
      try {
        await write(items);
      } catch (error) {
        log.warn({ err: error, rows: items.length }, `${name}: not written, will try again`);
        waiting = [...items, ...waiting].slice(-maxWaiting);
      }
    });
    return writing;
  };
  const timer = setInterval(flush, everyMs);
  timer.unref();
  return {
    add(item) {
      waiting.push(item);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
