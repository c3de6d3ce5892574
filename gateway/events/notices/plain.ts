/** Line breaks, control and invisible characters: they break headers, or make a text read as another one. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const longestPart = 200;

/** What somebody else wrote, as it may stand in a line of a message. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return "";
  // The pattern is applied to a bounded text; names are bounded where they are written, too.
  const text = String(value)
    .slice(0, longestPart * 2)
    .replace(hidden, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return text.length > longestPart ? `${text.slice(0, longestPart - 1)}…` : text;
}

/** A time as messages write it: `24 Nov 2026, 07:00 UTC`. */
export function timeText(value: unknown): string {
  const at = new Date(String(value));
  if (Number.isNaN(at.getTime())) return plain(value);
  const day = at.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
}

/** `1 file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
