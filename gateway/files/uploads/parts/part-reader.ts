import type { Readable } from "node:stream";
import { withIdleTimeout } from "../idle-timeout.ts";

/** Cuts a body into pieces of chosen lengths, without holding more of it than one chunk. */
export class PartReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private left: Buffer = Buffer.alloc(0);
  /** Why the body ended early: its connection broke, or its sender was silent for too long. */
  brokenBy: Error | null = null;

  constructor(body: Readable, silenceMs: number) {
    this.chunks = (withIdleTimeout(body, silenceMs) as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** The next bytes, at most so many; a broken connection ends them like the end of the body. */
  async *take(maxBytes: number): AsyncGenerator<Buffer> {
    for (let wanted = maxBytes; wanted > 0; ) {
      if (this.left.length === 0 && !(await this.hasMore())) return;
      const chunk = this.left.subarray(0, wanted);
      this.left = this.left.subarray(chunk.length);
      wanted -= chunk.length;
      yield chunk;
    }
  }

  /** Waits for the next chunk. */
  async hasMore(): Promise<boolean> {
    while (this.left.length === 0 && this.brokenBy === null) {
      try {
        const next = await this.chunks.next();
        if (next.done) return false;
        this.left = next.value;
      } catch (error) {
        this.brokenBy = error as Error;
      }
    }
    return this.left.length > 0;
  }
}
