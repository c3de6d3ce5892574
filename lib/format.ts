const secondMs = 1000;

const minuteMs = 60 * secondMs;

const hourMs = 60 * minuteMs;

const dayMs = 24 * hourMs;

/** A duration: `840 ms`, `1.24 s`, `3 m 12 s`, `2 h 5 m`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return "–";
  const length = Math.max(0, ms);
  if (length < 999.5) return `${Math.round(length)} ms`;
  if (length < minuteMs - 5)
    return `${trimZeros((length / secondMs).toFixed(length < 10 * secondMs ? 2 : 1))} s`;
  const rounded = Math.round(length / secondMs) * secondMs;
  if (rounded < hourMs) return twoUnits(rounded, minuteMs, "m", secondMs, "s");
  if (rounded < dayMs) return twoUnits(rounded, hourMs, "h", minuteMs, "m");
  return twoUnits(rounded, dayMs, "d", hourMs, "h");
}

/** Remaining time in whole units, so that a countdown keeps its width: `23 h 4 m`, `4 m 09 s`, `12 s`. */
export function formatCountdown(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / secondMs) * secondMs);
  if (left < minuteMs) return `${left / secondMs} s`;
  if (left < hourMs) {
    const seconds = String((left % minuteMs) / secondMs).padStart(2, "0");
    return `${Math.floor(left / minuteMs)} m ${seconds} s`;
  }
  return formatDuration(left);
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
export function formatNumber(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** `1 run`, `2 runs`. Pass `plural` if it is not the singular with an s. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

const relativeFormat = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });

const relativeUnits: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", dayMs],
  ["hour", hourMs],
  ["minute", minuteMs],
  ["second", secondMs],
];

/** The time between `atMs` and `nowMs`: `just now`, `3 min. ago`, `in 2 hr.`. */
export function formatRelative(atMs: number, nowMs: number): string {
  const distance = atMs - nowMs;
  if (Math.abs(distance) < 2 * secondMs) return "just now";
  const [unit, unitMs] = relativeUnits.find(([, size]) => Math.abs(distance) >= size) ?? ["second", secondMs];
  return relativeFormat.format(Math.trunc(distance / unitMs), unit).replace(".", "");
}

/**
 * Formatters are cached: creating one costs a hundred times as much as using it, and a browser shows only one
 * or two time zones.
 */
const exactFormats = new Map<string, Intl.DateTimeFormat>();

function exactFormat(timeZone: string): Intl.DateTimeFormat {
  const known = exactFormats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZone,
    timeZoneName: "short",
  });
  exactFormats.set(timeZone, format);
  return format;
}

/** The exact time in a zone: `20 Nov 2026, 10:42:07 UTC`. */
export function formatTime(value: string, timeZone: string): string {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? value : exactFormat(timeZone).format(at);
}

/** Shortens an id in the middle, keeping the prefix and both ends: `pred_01k9…x7qz`. */
export function shortenId(id: string): string {
  const prefixEnd = id.indexOf("_") + 1;
  const body = id.slice(prefixEnd);
  if (body.length <= 12) return id;
  return `${id.slice(0, prefixEnd)}${body.slice(0, 4)}…${body.slice(-6)}`;
}

function twoUnits(value: number, largeMs: number, large: string, smallMs: number, small: string): string {
  const rest = Math.floor((value % largeMs) / smallMs);
  return `${Math.floor(value / largeMs)} ${large}${rest ? ` ${rest} ${small}` : ""}`;
}

function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Ends a message with a full stop, so that another sentence can follow it. */
export function asSentence(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`;
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
