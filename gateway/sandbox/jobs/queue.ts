/** Runs `slots` jobs at a time; accounts take turns, and within an account jobs run in order. */
export class FairQueue {
  readonly #slots: number;
  #running = 0;
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Runs `job` when its turn comes. An abort while it waits removes it from the queue. */
  async run<Result>(account: string, signal: AbortSignal, job: () => Promise<Result>): Promise<Result> {
    await this.#turn(account, signal);
    try {
      return await job();
    } finally {
      this.#running--;
      this.#next();
    }
  }

  #turn(account: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const line = this.#waiting.get(account) ?? [];
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        const place = line.indexOf(begin);
        if (place >= 0) line.splice(place, 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      line.push(begin);
      this.#waiting.set(account, line);
      this.#next();
    });
  }

  #next(): void {
    while (this.#running < this.#slots) {
      const [account, line] = this.#waiting.entries().next().value ?? [];
      if (account === undefined || !line) return;
      // An account that had its turn moves to the end.
      this.#waiting.delete(account);
      const begin = line.shift();
      if (line.length > 0) this.#waiting.set(account, line);
      if (!begin) continue;
      this.#running++;
      begin();
    }
  }
}
