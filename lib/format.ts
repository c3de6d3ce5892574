import type { Language } from "../messages/languages.ts";
import { spacedFigures } from "../messages/marks.ts";
import { type ListKind, listText } from "./words/list-text.ts";

const secondMs = 1000;

const minuteMs = 60 * secondMs;

const hourMs = 60 * minuteMs;

const dayMs = 24 * hourMs;

/** The locale of dates: English ones have the day before the month. */
export function dateLocale(language: Language): string {
  return language === "en" ? "en-GB" : language;
}

/** Creating a formatter costs a hundred times as much as using it. */
const formats = new Map<string, unknown>();

function once<Format>(name: string, make: () => Format): Format {
  const format = (formats.get(name) as Format | undefined) ?? make();
  formats.set(name, format);
  return format;
}

const symbols = { millisecond: "ms", second: "s", minute: "m", hour: "h", day: "d" };
type TimeUnit = keyof typeof symbols;

/** `3 m`; in other languages as they write it, such as `3 分钟`. */
function measure(value: number | string, unit: TimeUnit, language: Language): string {
  if (language === "en") return `${value} ${symbols[unit]}`;
  return spacedFigures(
    once(
      `${unit} ${language}`,
      () => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }),
    ).format(Number(value)),
  );
}

/** A duration: `840 ms`, `1.24 s`, `3 m 12 s`, `2 h 5 m`, `3 d 4 h`. */
export function formatDuration(ms: number, language: Language): string {
  if (!Number.isFinite(ms)) return "–";
  const length = Math.max(0, ms);
  if (length < 999.5) return measure(Math.round(length), "millisecond", language);
  if (length < minuteMs - 5)
    return measure(
      trimZeros((length / secondMs).toFixed(length < 10 * secondMs ? 2 : 1)),
      "second",
      language,
    );
  const twoUnits = (large: TimeUnit, largeMs: number, small: TimeUnit, smallMs: number) => {
    const rest = Math.floor((rounded % largeMs) / smallMs);
    const whole = measure(Math.floor(rounded / largeMs), large, language);
    return rest ? `${whole} ${measure(rest, small, language)}` : whole;
  };
  const rounded = Math.round(length / secondMs) * secondMs;
  if (rounded < hourMs) return twoUnits("minute", minuteMs, "second", secondMs);
  if (rounded < dayMs) return twoUnits("hour", hourMs, "minute", minuteMs);
  return twoUnits("day", dayMs, "hour", hourMs);
}

/** Remaining time in whole units, so that a countdown keeps its width: `23 h 4 m`, `4 m 09 s`, `12 s`. */
export function formatCountdown(ms: number, language: Language): string {
  const left = Math.max(0, Math.ceil(ms / secondMs) * secondMs);
  if (left < minuteMs) return measure(left / secondMs, "second", language);
  if (left < hourMs) {
    const seconds = String((left % minuteMs) / secondMs).padStart(2, "0");
    return `${measure(Math.floor(left / minuteMs), "minute", language)} ${measure(seconds, "second", language)}`;
  }
  return formatDuration(left, language);
}

const byteUnits = ["B", "kB", "MB", "GB", "TB"];

/** A size in decimal units, as storage is sold: `512 B`, `1.2 kB`, `82 MB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return "–";
  let value = Math.max(0, bytes);
  let unit = 0;
  while (unit < byteUnits.length - 1 && value >= 999.5) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${trimZeros(value.toFixed(digits))} ${byteUnits[unit]}`;
}

/** A limit in the units of `formatBytes`, rounded down, so that a file of the displayed size still fits. */
export function formatByteLimit(bytes: number): string {
  let unit = 0;
  while (unit < byteUnits.length - 1 && bytes >= 1000 ** (unit + 1)) unit += 1;
  const value = bytes / 1000 ** unit;
  return `${value < 100 ? Math.floor(value * 10) / 10 : Math.floor(value)} ${byteUnits[unit]}`;
}

/** A number with thousands separators. */
export function formatNumber(value: number, language: Language = "en"): string {
  return value.toLocaleString(language, { maximumFractionDigits: 2 });
}

/** A percentage, with that many decimals: `40 %`; in other languages as they write it, such as `40%`. */
export function formatPercent(percent: number, language: Language = "en", decimals?: number): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals ?? 2 };
  if (language === "en") return `${percent.toLocaleString(language, digits)} %`;
  return (percent / 100).toLocaleString(language, { style: "percent", ...digits });
}

/** `1 run`, `2 runs`. Pass `plural` if it is not the singular with an s. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

const justNow: Record<Language, string> = { en: "just now", "zh-CN": "刚刚" };

const relativeUnits: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", dayMs],
  ["hour", hourMs],
  ["minute", minuteMs],
  ["second", secondMs],
];

/** The time between `atMs` and `nowMs`: `just now`, `3 min. ago`, `in 2 hr.`. */
export function formatRelative(atMs: number, nowMs: number, language: Language): string {
  const distance = atMs - nowMs;
  if (Math.abs(distance) < 2 * secondMs) return justNow[language];
  const [unit, unitMs] = relativeUnits.find(([, size]) => Math.abs(distance) >= size) ?? ["second", secondMs];
  return spacedFigures(
    once(
      `relative ${language}`,
      () => new Intl.RelativeTimeFormat(language, { numeric: "always", style: "short" }),
    )
      .format(Math.trunc(distance / unitMs), unit)
      .replace(".", ""),
  );
}

/** The exact time in a zone, which is last in every language: `20 Nov 2026, 10:42:07 UTC`, `2026 年 11 月 20 日 10:42:07 UTC`. */
export function formatTime(value: string, timeZone: string, language: Language): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return value;
  const parts = once(
    `time ${timeZone} ${language}`,
    () =>
      new Intl.DateTimeFormat(dateLocale(language), {
        day: "numeric",
        month: "short",
        year: "numeric",
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
        timeZone,
        timeZoneName: "short",
      }),
  ).formatToParts(at);
  const zone = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const rest = parts.filter(({ type }) => type !== "timeZoneName").map(({ value: text }) => text);
  return `${spacedFigures(rest.join("").trim().replaceAll(/\s+/g, " "))} ${zone}`;
}

/** How a language writes numbers, times and lists, in the zone of displayed times. */
export function formatsOf(language: Language, timeZone: string) {
  return once(`all ${timeZone} ${language}`, () => ({
    language,
    timeZone,
    number: (value: number) => formatNumber(value, language),
    percent: (percent: number, decimals?: number) => formatPercent(percent, language, decimals),
    /** `2.5K`, `1.5 万`. */
    compact: (value: number) =>
      spacedFigures(
        once(
          `compact ${language}`,
          () => new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 }),
        ).format(value),
      ),
    duration: (ms: number) => formatDuration(ms, language),
    countdown: (ms: number) => formatCountdown(ms, language),
    relative: (atMs: number, nowMs: number) => formatRelative(atMs, nowMs, language),
    time: (value: string) => formatTime(value, timeZone, language),
    /** `20 Nov 2026`, or the parts that the options name. */
    date: (at: number | string, options: Intl.DateTimeFormatOptions = day) =>
      spacedFigures(new Date(at).toLocaleString(dateLocale(language), { ...options, timeZone })),
    /** `a, b, c`, or `a, b and c`. */
    list: (items: Iterable<string>, kind: ListKind = "plain") => listText(language, items, kind),
  }));
}

export type Formats = ReturnType<typeof formatsOf>;

const day: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", year: "numeric" };

/** Shortens an id in the middle, keeping the prefix and both ends: `pred_01k9…x7qz`. */
export function shortenId(id: string): string {
  const prefixEnd = id.indexOf("_") + 1;
  const body = id.slice(prefixEnd);
  if (body.length <= 12) return id;
  return `${id.slice(0, prefixEnd)}${body.slice(0, 4)}…${body.slice(-6)}`;
}

function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Ends a message with a full stop, so that another sentence can follow it. */
export function asSentence(message: string): string {
  return /[.!?…。]$/.test(message) ? message : `${message}.`;
}

/**
 * Shortens a text to `length` characters by cutting out its middle. Two thirds of what remains come from the
 * start of the text, one third from its end.
 */
export function cutInMiddle(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const endLength = Math.floor(length / 3);
  return `${characters.slice(0, length - endLength - 1).join("")}…${characters.slice(-endLength).join("")}`;
}
