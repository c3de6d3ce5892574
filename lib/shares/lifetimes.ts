const hourSeconds = 3_600;
const daySeconds = 86_400;
const usual = [hourSeconds, daySeconds, 7 * daySeconds];

/** How long a link may work, in seconds, shortest first; the gateway's own limit is the last. */
export function lifetimesUpTo(maxSeconds: number): number[] {
  return [...new Set([...usual.filter((seconds) => seconds < maxSeconds), maxSeconds])];
}

/** `1 hour`, `7 days`. */
export function lifetimeWords(seconds: number): string {
  const [count, unit] =
    seconds < daySeconds ? [seconds / hourSeconds, "hour"] : [seconds / daySeconds, "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
