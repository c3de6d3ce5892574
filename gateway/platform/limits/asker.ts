/** After a failure nothing is asked for this long; until then the failure is the answer. */
const pauseMs = 200;

/**
 * Collects what is to be asked and asks it together, one question at a time: what comes up meanwhile is in the next one.
 */
export class Asker<Item> {
  private waiting = new Set<Item>();
  private asking: Promise<void> | null = null;
  private failed: { at: number; error: unknown } | null = null;
  private readonly ask: (items: Item[]) => Promise<void>;
  private readonly fail: (items: Item[], error: unknown) => void;

  /** `ask` answers the items; `fail` gets those without an answer. */
  constructor(ask: (items: Item[]) => Promise<void>, fail: (items: Item[], error: unknown) => void) {
    this.ask = ask;
    this.fail = fail;
  }

  add(item: Item): void {
    this.waiting.add(item);
    this.asking ??= this.askAll();
  }

  /** Resolves when all that was added has its answer. */
  async allAnswered(): Promise<void> {
    await this.asking;
  }

  private async askAll(): Promise<void> {
    // What else comes in this turn of the event loop joins.
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
