import type { Step } from "./spans.ts";

const mostLabels = 5;

/** `24 Nov, 14:05`, in the zone of the settings. A day is a day of UTC whatever the zone. */
export function stepLabel(atMs: number, step: Step, timeZone: string): string {
  return step === "day"
    ? `${day("UTC").format(atMs)} (UTC)`
    : `${day(timeZone).format(atMs)}, ${clock(timeZone).format(atMs)}`;
}

/** The first step, the last, and what fits between. */
export function axisLabels(steps: readonly number[], step: Step, timeZone: string): string[] {
  const count = Math.min(mostLabels, steps.length);
  const isLong = (steps.at(-1) ?? 0) - (steps[0] ?? 0) > 2 * 86_400_000;
  return Array.from({ length: count }, (_, label) => {
    const at = steps[Math.round((label * (steps.length - 1)) / Math.max(1, count - 1))] ?? 0;
    if (step === "day") return day("UTC").format(at);
    return isLong ? day(timeZone).format(at) : clock(timeZone).format(at);
  });
}

/** Making one takes long: one is kept per zone. */
const days = new Map<string, Intl.DateTimeFormat>();
const clocks = new Map<string, Intl.DateTimeFormat>();

function day(timeZone: string): Intl.DateTimeFormat {
  return kept(days, timeZone, { day: "numeric", month: "short" });
}

function clock(timeZone: string): Intl.DateTimeFormat {
  return kept(clocks, timeZone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

function kept(
  formats: Map<string, Intl.DateTimeFormat>,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone });
    formats.set(timeZone, format);
  }
  return format;
}
