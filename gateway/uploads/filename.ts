import { hidden } from "#gateway/storage/attachment.ts";

/** The last part of a path, without characters that file systems reject or that hide how it ends; null when nothing is left. */
export function safeFilename(text = ""): string | null {
  const name = text.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const kept = name
    .replace(hidden, "")
    .replace(/[<>:"|?*]/g, "")
    .trim();
  return kept.replace(/^\.+/, "") || null;
}
