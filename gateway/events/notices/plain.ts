/** Line breaks, control and invisible characters: they break headers, or make one text look like another. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const longestPart = 200;

/** Text from other people, cleaned for use in a line of a message. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return "";
  // The text is cut before the pattern is applied; names are also limited when they are written.
  const text = String(value)
    .slice(0, longestPart * 2)
    .replace(hidden, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return text.length > longestPart ? `${text.slice(0, longestPart - 1)}…` : text;
}

/** A time as in messages: `24 Nov 2026, 07:00 UTC`. */
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
