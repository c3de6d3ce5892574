import { createHash, type Hash } from "node:crypto";
import type { BaseContext } from "#gateway/context.ts";
import { asc, eq } from "#gateway/platform/database/drizzle.ts";
import { uploadParts } from "#gateway/platform/database/schema.ts";

/**
 * The hashes of an upload's parts as they were received, to compare the stored file with: if the store itself
 * joined the parts, nobody has read the whole file before it is verified.
 */
export async function receivedParts(context: BaseContext, id: string): Promise<PartHashes> {
  const rows = await context.database.queries
    .select()
    .from(uploadParts)
    .where(eq(uploadParts.uploadId, id))
    .orderBy(asc(uploadParts.number));
  return new PartHashes(rows);
}

export class PartHashes {
  private readonly expected: readonly { sizeBytes: number; sha256: string }[];
  private hash: Hash = createHash("sha256");
  private index = 0;
  private read = 0;
  private isDifferent = false;

  constructor(expected: readonly { sizeBytes: number; sha256: string }[]) {
    this.expected = expected;
  }

  update(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0; ) {
      const part = this.expected[this.index];
      if (!part) {
        this.isDifferent = true;
        return;
      }
      const bytes = rest.subarray(0, part.sizeBytes - this.read);
      this.hash.update(bytes);
      this.read += bytes.length;
      rest = rest.subarray(bytes.length);
      if (this.read === part.sizeBytes) this.endPart(part.sha256);
    }
  }

  /** Whether the file consists of exactly the received parts. */
  agree(): boolean {
    return !this.isDifferent && this.index === this.expected.length;
  }

  private endPart(sha256: string): void {
    if (this.hash.digest("hex") !== sha256) this.isDifferent = true;
    this.hash = createHash("sha256");
    this.index += 1;
    this.read = 0;
  }
}
