export type ByteRange = { start: number; end: number };

/**
 * Reads a `Range` header for an object of `sizeBytes`: the inclusive range, null for the whole object (no header, or
 * one that may be ignored: several ranges, another unit), `unsatisfiable` for a 416.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | null | "unsatisfiable" {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!match) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? "unsatisfiable" : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= sizeBytes ? "unsatisfiable" : { start, end };
}
