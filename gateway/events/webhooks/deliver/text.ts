import type { IncomingHttpHeaders } from "node:http";

const maxHeaderBytes = 8 * 1024;
const maxDetailLength = 2000;

/** Text that PostgreSQL can hold: it refuses NUL and lone surrogates. */
export function storableText(text: string): string {
  return text.replaceAll("\u0000", "\ufffd").toWellFormed();
}

/** A receiver's headers as stored: repeated ones joined, at most 8 KiB in all. Their names are plain ASCII. */
export function headerRecord(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  let size = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = storableText(Array.isArray(value) ? value.join(", ") : value);
    size += name.length + text.length;
    if (size > maxHeaderBytes) break;
    kept[name] = text;
  }
  return kept;
}

/** An error's message as stored. */
export function storableDetail(text: string): string {
  return storableText(text.slice(0, maxDetailLength));
}
