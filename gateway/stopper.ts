/** Time to stop after the drain: last writes and the database. */
export const closeWithinMs = 10_000;
/** The same for a supervisor, whose processes stop first. */
export const superviseWithinMs = 13_000;

/**
 * Stops everything in the reverse order of its start; a signal may arrive at any moment, also during the
 * start.
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
