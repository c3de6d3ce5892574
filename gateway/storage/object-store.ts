import type { Readable } from "node:stream";

export interface StoredObject {
  sizeBytes: number;
  contentType: string;
}

/** Stores the bytes of uploads and outputs. Keys are `/`-separated paths created by the gateway, never user text. */
export interface ObjectStore {
  /**
   * Stores all of `body` or nothing, and returns its size and sha256 (hex).
   * Throws when more than `maxBytes` arrive, keeping nothing.
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
  /** Removing a missing object is not an error. */
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}
