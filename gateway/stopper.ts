/** How long stopping may take after the drain, for the last writes and for closing the database. */
export const closeWithinMs = 10_000;
/** How long a supervisor may take to stop: a little longer, because its processes stop first. */
export const superviseWithinMs = 13_000;

/**
 * Stops everything in the reverse order of its start. The signal to stop can arrive at any moment, also
 * during the start.
 */
export class Stopper {
  private readonly withinMs: number;
  private readonly last: () => Promise<void> | undefined;
  private readonly steps: (() => unknown)[] = [];
  private undoing: Promise<void> = Promise.resolve();
  private isStopping = false;

  /** `last` is done when everything has stopped. */
  constructor(withinMs: number, last: () => Promise<void> | undefined) {
    this.withinMs = withinMs;
    this.last = last;
    process.on("SIGINT", () => this.stop(0));
    process.on("SIGTERM", () => this.stop(0));
  }

  add(step: () => unknown): void {
    this.steps.push(step);
  }

  /** Stops what was started so far. */
  undo(): Promise<void> {
    this.undoing = this.undoing.then(async () => {
      for (let step = this.steps.pop(); step; step = this.steps.pop()) await step();
    });
    return this.undoing;
  }

  async stop(code: number): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    setTimeout(() => process.exit(1), this.withinMs).unref();
    await this.undo();
    await this.last();
    process.exit(code);
  }
}
