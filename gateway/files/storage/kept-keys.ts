import { randomBytes } from "node:crypto";

const root = "kept";

/** A folder for the copies of one output and its input, and of this attempt alone: another one never touches its files. */
export function newKeptFolder(outputId: string): string {
  return `${root}/${outputId}/${randomBytes(8).toString("hex")}`;
}

/** The kept output that an object key belongs to; null for any other key. */
export function keptOutputOf(key: string): string | null {
  const [first, outputId] = key.split("/");
  return first === root ? (outputId ?? null) : null;
}
