/** The last part of a path, without characters that file systems reject; null when nothing is left. */
export function safeFilename(text = ""): string | null {
  const name = text.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const kept = name.replace(/\p{Cc}|[<>:"|?*]/gu, "").trim();
  return kept.replace(/^\.+/, "") || null;
}
