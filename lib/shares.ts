import type { Words } from "@/messages/words";

const hourSeconds = 3_600;

const daySeconds = 86_400;

const choices = [hourSeconds, daySeconds, 7 * daySeconds];

/** The lifetimes that a link can have, in seconds. The last one is the gateway's limit. */
export function lifetimesUpTo(maxSeconds: number): number[] {
  return [...new Set([...choices.filter((seconds) => seconds < maxSeconds), maxSeconds])];
}

export interface LifetimeChoice {
  seconds: number;
  label: string;
}

/**
 * The possible lifetimes of a link to files that are removed in `endsIn` seconds (null: never). If the files
 * are removed first, the last choice ends with them.
 */
export function lifetimeChoices(
  maxSeconds: number,
  endsIn: number | null,
  t: Words<"shares">,
): LifetimeChoice[] {
  const all = lifetimesUpTo(maxSeconds).map((seconds) => ({ seconds, label: formatLifetime(seconds, t) }));
  const longer = endsIn === null ? undefined : all.find(({ seconds }) => seconds > endsIn);
  if (endsIn === null || !longer) return all;
  // The gateway ends a link when its files are removed.
  const last = { seconds: longer.seconds, label: t("untilTheFileIsRemoved") };
  return [...all.filter(({ seconds }) => seconds <= endsIn), last];
}

/** `1 hour`, `7 days`. */
export function formatLifetime(seconds: number, t: Words<"shares">): string {
  return seconds < daySeconds
    ? t("hours", { count: seconds / hourSeconds })
    : t("days", { count: seconds / daySeconds });
}

const storedOutput = /\/v1\/files\/outputs\/([^/?]+)\/(\d+)/;

/** The run behind a signed URL of an output, and the file's position from 1. Null for any other URL. */
export function runOfFile(url: string): { run: string; position: number } | null {
  const [, run, position] = storedOutput.exec(url) ?? [];
  return run === undefined ? null : { run, position: Number(position) };
}
