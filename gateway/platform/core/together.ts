interface Together<Item> {
  /** The weight of an item. One call takes at most `maxWeight`, but always at least one item. */
  weightOf(item: Item): number;
  maxWeight: number;
  maxItems: number;
}

interface Waiting<Item> {
  item: Item;
  done(): void;
  failed(error: unknown): void;
}

/**
 * Batches `work` for concurrent callers: while one call runs, items gather for the next. Each caller learns
 * the outcome of its own item: if a batch fails, its items are tried one by one.
 */
export function together<Item>(
  work: (items: Item[]) => Promise<void>,
  { weightOf, maxWeight, maxItems }: Together<Item>,
): (item: Item) => Promise<void> {
  const waiting: Waiting<Item>[] = [];
  let isRunning = false;

  function takeNext(): Waiting<Item>[] {
    let count = 0;
    let weight = 0;
    for (const { item } of waiting) {
      weight += weightOf(item);
      if (count > 0 && (weight > maxWeight || count === maxItems)) break;
      count += 1;
    }
    return waiting.splice(0, count);
  }

  const alone = ({ item, done, failed }: Waiting<Item>) => work([item]).then(done, failed);

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const now = takeNext();
      try {
        await work(now.map(({ item }) => item));
        for (const { done } of now) done();
      } catch (error) {
        if (now.length === 1) now[0]?.failed(error);
        else for (const one of now) await alone(one);
      }
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((done, failed) => {
      waiting.push({ item, done, failed });
      if (!isRunning) void run();
    });
}

/**
 * Works on the items, `atOnce` at a time. Tries all items, even after a failure, and then throws the first
 * error.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  let next = 0;
  const workInTurn = async (): Promise<void> => {
    while (next < items.length) {
      const item = items[next] as Item;
      next += 1;
      await work(item).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workInTurn));
  if (errors.length > 0) throw errors[0];
}

/** Runs work for the same key one at a time, within this process. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs the work after earlier work for the same key has ended, successfully or not. */
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.last.get(key) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => {}).finally(() => this.last.get(key) === ended && this.last.delete(key));
    this.last.set(key, ended);
    return turn;
  }
}
