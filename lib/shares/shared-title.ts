import type { SharedFile } from "#contract/shares.ts";

const kinds: Record<string, string> = { image: "image", video: "video", audio: "sound" };

/** `Shared image`, or `Shared comparison` where there are several files. */
export function sharedTitle(files: readonly Pick<SharedFile, "content_type">[]): string {
  if (files.length > 1) return "Shared comparison";
  return `Shared ${kinds[files[0]?.content_type.split("/")[0] ?? ""] ?? "file"}`;
}
