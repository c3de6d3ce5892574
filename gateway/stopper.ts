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
  private steps: (() => Promise<void>)[] = [];
  private isStopping = false;

  constructor(withinMs: number) {
    this.withinMs = withinMs;
    process.on("SIGINT", () => this.stop(0));
    process.on("SIGTERM", () => this.stop(0));
  }

  add(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  replace(step: () => Promise<void>): void {
    this.steps = [step];
  }

  async stop(code: number): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    setTimeout(() => process.exit(1), this.withinMs).unref();
    for (const step of this.steps.toReversed()) await step();
    process.exit(code);
  }
}
