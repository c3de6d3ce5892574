import { clock } from "./clock.ts";

/**
 * A cached value that many callers share and that is loaded again after a while. If loading fails, the last
 * value is returned, provided that `isPassing` accepts the error as temporary.
 */
export class Remembered<Value extends object> {
  readonly #load: () => Promise<Value>;
  readonly #maxAgeMs: number;
  readonly #isPassing: (error: unknown) => boolean;
  #last: Value | null = null;
  #lastAt = Number.NEGATIVE_INFINITY;
  #pending: Promise<Value> | null = null;

  constructor(load: () => Promise<Value>, maxAgeMs: number, isPassing: (error: unknown) => boolean) {
    this.#load = load;
    this.#maxAgeMs = maxAgeMs;
    this.#isPassing = isPassing;
  }

  /** The value, not older than the maximum age. */
  async read(): Promise<Value> {
    if (this.#last && clock.now() - this.#lastAt < this.#maxAgeMs) return this.#last;
    this.#pending ??= this.readNow().finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async readNow(): Promise<Value> {
    try {
      const value = await this.#load();
      this.#last = value;
      this.#lastAt = clock.now();
      return value;
    } catch (error) {
      if (this.#last && this.#isPassing(error)) return this.#last;
      throw error;
    }
  }
}

/** Sets an entry as the newest and drops the oldest if there are more than `most`. */
export function setBounded<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value, most: number): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
