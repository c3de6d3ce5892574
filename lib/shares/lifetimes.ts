const hourSeconds = 3_600;
const daySeconds = 86_400;
const choices = [hourSeconds, daySeconds, 7 * daySeconds];

/** The lifetimes to choose for a link, in seconds, ending with the gateway's limit. */
export function lifetimesUpTo(maxSeconds: number): number[] {
  return [...new Set([...choices.filter((seconds) => seconds < maxSeconds), maxSeconds])];
}

/** `1 hour`, `7 days`. */
export function formatLifetime(seconds: number): string {
  const [count, unit] =
    seconds < daySeconds ? [seconds / hourSeconds, "hour"] : [seconds / daySeconds, "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
