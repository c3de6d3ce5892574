import type { FastifyRequest } from "fastify";
import type { Item } from "#contract/responses.ts";
import { nextTurn } from "#gateway/platform/core/event-loop.ts";

/** The most that one connection keeps; the oldest are removed first. */
const maxKept = { responses: 50, bytes: 4_000_000 };
/** The most bytes that all connections of one key keep in this process. */
const maxKeptOfKeyBytes = 32_000_000;

const keptByKey = new Map<string, number>();

/** Counts bytes of one connection, and with them those of all connections of its key in this process. */
export class CountedBytes {
  own = 0;
  readonly #byKey: Map<string, number>;
  readonly #key: string;

  constructor(byKey: Map<string, number>, key: string) {
    this.#byKey = byKey;
    this.#key = key;
  }

  get ofKey(): number {
    return this.#byKey.get(this.#key) ?? 0;
  }

  add(bytes: number): void {
    this.own += bytes;
    const sum = this.ofKey + bytes;
    if (sum > 0) this.#byKey.set(this.#key, sum);
    else this.#byKey.delete(this.#key);
  }

  clear(): void {
    this.add(-this.own);
  }
}

/**
 * The unstored conversations of one connection, by the response at their end. They are kept as text: parsed,
 * a conversation takes many times its bytes.
 */
export class UnstoredConversations {
  readonly #kept = new Map<string, Buffer>();
  readonly #bytes: CountedBytes;

  constructor(key: string) {
    this.#bytes = new CountedBytes(keptByKey, key);
  }

  find(id: string): Promise<Item[]> | undefined {
    const text = this.#kept.get(id);
    // Parsed in a separate turn of the event loop, because the text may be as long as the request that
    // continues it.
    return text && nextTurn().then(() => JSON.parse(text.toString()) as Item[]);
  }

  keep(id: string, items: Item[]): void {
    const text = Buffer.from(JSON.stringify(items));
    this.#kept.set(id, text);
    this.#bytes.add(text.length);
    for (const oldest of this.#kept.keys()) {
      const isMuch = this.#kept.size > maxKept.responses || this.#bytes.own > maxKept.bytes;
      if (!isMuch && this.#bytes.ofKey <= maxKeptOfKeyBytes) return;
      this.drop(oldest);
    }
  }

  drop(id: string): void {
    const text = this.#kept.get(id);
    if (!text) return;
    this.#kept.delete(id);
    this.#bytes.add(-text.length);
  }

  clear(): void {
    for (const id of this.#kept.keys()) this.drop(id);
  }
}

/** One message of a connection while it is answered. */
export interface Turn {
  conversations: UnstoredConversations;
  /** The response that it continues; null: none. */
  previous: string | null;
  /** Whether the whole answer was sent. */
  isAnswered: boolean;
}

/** The turn of a request that came from a WebSocket message; undefined for an ordinary request. */
export function turnOf({ inner }: FastifyRequest): Turn | undefined {
  return inner?.kept as Turn | undefined;
}
