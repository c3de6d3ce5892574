import { createHash } from "node:crypto";

/**
 * The registry's sha256, quoted. The status of a deployment in trouble and what operators set of entries are part of the
 * answer but not of the sha256, so a digest of them follows it.
 */
export function liveEtag(sha256: string, troubles: string, settings: string): string {
  if (troubles === "" && settings === "") return `"${sha256}"`;
  const digest = createHash("sha256").update(`${troubles}\n\n${settings}`).digest("hex");
  return `"${sha256}-${digest.slice(0, 12)}"`;
}
