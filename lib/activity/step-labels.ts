import { spacedFigures } from "../../messages/marks.ts";
import type { Words } from "../../messages/words.ts";
import { dateLocale, type Formats } from "../format.ts";
import type { Step } from "./spans.ts";

export function valueText(value: number | null, format: (value: number) => string): string {
  return value === null ? "–" : format(value);
}

const maxLabels = 5;

/** `24 Nov, 14:05` in the time zone of the settings. Days are always UTC days. */
export function stepLabel(
  t: Words<"charts">,
  { language, timeZone }: Formats,
  atMs: number,
  step: Step,
): string {
  return step === "day"
    ? t("dayInUtc", { day: written(day, language, "UTC", atMs) })
    : written({ ...day, ...clock }, language, timeZone, atMs);
}

/** Labels for the first step, the last step, and as many steps between as fit. */
export function axisLabels({ language, timeZone }: Formats, steps: readonly number[], step: Step): string[] {
  const count = Math.min(maxLabels, steps.length);
  const isLong = (steps.at(-1) ?? 0) - (steps[0] ?? 0) > 2 * 86_400_000;
  return Array.from({ length: count }, (_, label) => {
    const at = steps[Math.round((label * (steps.length - 1)) / Math.max(1, count - 1))] ?? 0;
    if (step === "day") return written(day, language, "UTC", at);
    return written(isLong ? day : clock, language, timeZone, at);
  });
}

const day = { day: "numeric", month: "short" } as const;
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** Formatters are cached, because creating one is slow. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function written(
  parts: Intl.DateTimeFormatOptions,
  language: Formats["language"],
  timeZone: string,
  at: number | Date,
): string {
  const name = `${Object.keys(parts)} ${language} ${timeZone}`;
  const format =
    timeFormats.get(name) ?? new Intl.DateTimeFormat(dateLocale(language), { ...parts, timeZone });
  timeFormats.set(name, format);
  return spacedFigures(format.format(at));
}
