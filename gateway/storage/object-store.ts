import type { Readable } from "node:stream";

export interface StoredObject {
  sizeBytes: number;
  contentType: string;
}

/** Some objects could not be removed; all others were. */
export class NotRemovedError extends Error {
  readonly keys: ReadonlySet<string>;

  constructor(keys: readonly string[], cause: unknown) {
    super(`${keys.length} objects could not be removed: ${(cause as Error).message}`, { cause });
    this.keys = new Set(keys);
  }
}

/** Stores the bytes of uploads and outputs. Keys are `/`-separated paths created by the gateway, never user text. */
export interface ObjectStore {
  /**
   * Stores all of `body` or nothing, and returns its size and sha256 (hex).
   * Throws when more than `maxBytes` arrive, and StoreFullError when there is no room for it, keeping nothing.
   */
  put(
    key: string,
    body: Readable | Buffer,
    options: { contentType: string; maxBytes?: number },
  ): Promise<{ sizeBytes: number; sha256: string }>;
  /**
   * The bytes, optionally of an inclusive range; null when there is no such object. `sizeBytes` is that of the whole
   * object. The caller must read or destroy the stream.
   */
  get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ stream: Readable; sizeBytes: number; contentType: string } | null>;
  head(key: string): Promise<StoredObject | null>;
  /** Removes objects, many at a time; a missing one is not an error. Throws NotRemovedError when some remain. */
  delete(keys: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
