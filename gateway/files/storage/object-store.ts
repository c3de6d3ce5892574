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

/**
 * Parts of an unfinished object are missing or were replaced, so it has to be sent again from the beginning.
 */
export class PartsLostError extends Error {}

/** An unfinished object: its key, and the store's id for it. */
interface Unfinished {
  key: string;
  id: string;
}

/**
 * Objects that arrive in parts, each stored permanently: S3's multipart uploads, or files next to the object.
 * All parts except the last have at least 5 MiB.
 */
export interface PartStore {
  /**
   * Starts an object and returns its id. If a crash prevents recording the id, the key alone is enough to
   * abort it.
   */
  begin(key: string, contentType: string): Promise<string>;
  /**
   * Stores a part from a file, which it removes; returns the value to pass to `complete`. Throws
   * PartsLostError, StoreFullError.
   */
  put(place: Unfinished, number: number, spooled: { file: string; sizeBytes: number }): Promise<string>;
  /**
   * Joins the parts to the object; parts that are files stay until `abort`. Safe to repeat. Returns the
   * sha256 (hex) if the bytes were read for this. Throws PartsLostError, StoreFullError.
   */
  complete(place: Unfinished, parts: readonly Part[], whole: StoredObject): Promise<string | null>;
  /** Removes all parts of an unfinished object; without an id, of all unfinished objects with this key. */
  abort(key: string, id: string | null): Promise<void>;
}

export interface Part {
  number: number;
  etag: string;
}

/**
 * Stores the bytes of uploads and outputs. Keys are `/`-separated paths made by the gateway, never user text.
 */
export interface ObjectStore {
  /**
   * Stores all of `body` or nothing, and returns its size and sha256 (hex). Throws if more than `maxBytes`
   * arrive, and StoreFullError if there is no room, and then keeps nothing.
   */
  put(
    key: string,
    body: Readable | Buffer,
    options: { contentType: string; maxBytes?: number },
  ): Promise<{ sizeBytes: number; sha256: string }>;
  /**
   * The bytes of an object, or of an inclusive range of it; null if there is no such object. `sizeBytes` is
   * the size of the whole object. The caller must read or destroy the stream.
   */
  get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ stream: Readable; sizeBytes: number; contentType: string } | null>;
  head(key: string): Promise<StoredObject | null>;
  /**
   * Removes objects, many at a time; a missing one is not an error. Throws NotRemovedError if some remain.
   */
  delete(keys: readonly string[]): Promise<void>;
  parts: PartStore;
  close(): Promise<void>;
}

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const maxLength = 500;

/** Whether the gateway could have created `key`: safe as a path, a URL and an S3 key. */
export function isObjectKey(key: string): boolean {
  return key.length <= maxLength && key.split("/").every((part) => segment.test(part));
}

export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new Error(`not an object key: ${JSON.stringify(key)}`);
}
