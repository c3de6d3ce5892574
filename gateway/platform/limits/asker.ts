/** After a failure no query is sent for this long, and callers get the same failure. */
const pauseMs = 200;

/**
 * Collects items and asks the database about them together, one query at a time: items added during a query
 * are part of the next one.
 */
export class Asker<Item> {
  private waiting = new Set<Item>();
  private asking: Promise<void> | null = null;
  private failed: { at: number; error: unknown } | null = null;
  private readonly ask: (items: Item[]) => Promise<void>;
  private readonly fail: (items: Item[], error: unknown) => void;

  /** `ask` answers the items; `fail` gets the items without an answer. */
  constructor(ask: (items: Item[]) => Promise<void>, fail: (items: Item[], error: unknown) => void) {
    this.ask = ask;
    this.fail = fail;
  }

  add(item: Item): void {
    this.waiting.add(item);
    this.asking ??= this.askAll();
  }

  /** Resolves when all added items have an answer. */
  async allAnswered(): Promise<void> {
    await this.asking;
  }

  private async askAll(): Promise<void> {
    // Items added in the same turn of the event loop join this query.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.size > 0) {
      const items = [...this.waiting];
      this.waiting = new Set();
      try {
        if (this.failed && performance.now() - this.failed.at < pauseMs) throw this.failed.error;
        await this.ask(items);
        this.failed = null;
      } catch (error) {
        if (this.failed?.error !== error) this.failed = { at: performance.now(), error };
        this.fail(items, error);
      }
    }
    this.asking = null;
  }
}
