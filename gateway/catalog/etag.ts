import { createHash } from "node:crypto";

/**
 * The registry's sha256, quoted. While a deployment is in trouble its status is part of the answer but not of the
 * sha256, so a digest of the troubles follows it.
 */
export function liveEtag(sha256: string, troubles: string): string {
  if (troubles === "") return `"${sha256}"`;
  return `"${sha256}-${createHash("sha256").update(troubles).digest("hex").slice(0, 12)}"`;
}

/** Whether an `If-None-Match` header names this tag. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
