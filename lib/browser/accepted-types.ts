import { uploadTypes } from "#contract/upload-constants.ts";

export type MediaKind = "image" | "audio" | "video";

/** The `accept` attribute of a file input for these families, or for all if none are given. */
export function acceptOf(kinds: readonly MediaKind[]): string {
  return Object.entries(uploadTypes)
    .filter(([, kind]) => kinds.length === 0 || kinds.includes(kind))
    .map(([type]) => type)
    .join(",");
}
