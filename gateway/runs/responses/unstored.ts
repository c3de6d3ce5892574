import type { FastifyRequest } from "fastify";
import type { Item } from "#contract/responses.ts";
import { nextTurn } from "#gateway/platform/core/event-loop.ts";

/** The most that one connection keeps; the oldest are removed first. */
const maxKept = { responses: 50, bytes: 4_000_000 };
/** The most bytes that all connections of one key keep in this process. */
const maxKeptOfKeyBytes = 32_000_000;

/** Counts the bytes that the connections of each key keep in this process. */
export class BytesByKey {
  readonly #bytes = new Map<string, number>();

  of(key: string): number {
    return this.#bytes.get(key) ?? 0;
  }

  add(key: string, bytes: number): void {
    const sum = this.of(key) + bytes;
    if (sum > 0) this.#bytes.set(key, sum);
    else this.#bytes.delete(key);
  }
}

const keptByKey = new BytesByKey();

/**
 * The unstored conversations of one connection, by the response at their end. They are kept as text: parsed,
 * a conversation takes many times its bytes.
 */
export class UnstoredConversations {
  readonly #key: string;
  readonly #kept = new Map<string, Buffer>();
  #bytes = 0;

  constructor(key: string) {
    this.#key = key;
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
    this.#count(text.length);
    for (const oldest of this.#kept.keys()) {
      const isMuch = this.#kept.size > maxKept.responses || this.#bytes > maxKept.bytes;
      if (!isMuch && keptByKey.of(this.#key) <= maxKeptOfKeyBytes) return;
      this.drop(oldest);
    }
  }

  drop(id: string): void {
    const text = this.#kept.get(id);
    if (!text) return;
    this.#kept.delete(id);
    this.#count(-text.length);
  }

  clear(): void {
    for (const id of this.#kept.keys()) this.drop(id);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    keptByKey.add(this.#key, bytes);
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
