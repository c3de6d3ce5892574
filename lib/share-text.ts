import type { Formats } from "./format.ts";

/** A share as a percentage. A small share is never rounded to zero. */
export function shareText(format: Formats, part: number, whole: number): string {
  if (part === 0 || whole === 0) return format.percent(0);
  const percent = (part / whole) * 100;
  return percent < 0.1 ? `< ${format.percent(0.1, 1)}` : format.percent(percent, percent < 10 ? 1 : 0);
}
