/** A time as clocks and calendars of a zone show it; months count from 1. */
export interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/**
 * Creating a formatter costs a hundred times as much as using it, and a browser shows only one or two zones.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, format);
  return format;
}

export function wallAt(atMs: number, timeZone: string): Wall {
  const parts = formatOf(timeZone).formatToParts(atMs);
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    parts.map(({ type, value }) => [type, Number(value)]),
  ) as unknown as Wall;
  return { year, month, day, hour, minute, second };
}

/**
 * The moment when clocks of the zone show this time. Parts may overflow: day 0 is the last day of the month
 * before. A time that summer time skips is taken an hour later; of a time that occurs twice, the first is
 * taken.
 */
export function atWall(wall: Wall, timeZone: string): number {
  const asUtcMs = utcOf(wall);
  const offsetAt = (atMs: number) => utcOf(wallAt(atMs, timeZone)) - Math.floor(atMs / 1000) * 1000;
  const dayMs = 86_400_000;
  const candidates = [asUtcMs - offsetAt(asUtcMs - dayMs), asUtcMs - offsetAt(asUtcMs + dayMs)];
  const shown = candidates.filter((atMs) => atMs + offsetAt(atMs) === asUtcMs);
  return shown.length > 0 ? Math.min(...shown) : Math.max(...candidates);
}

/** Midnight `days` days after the given day. */
export function dayAfter({ year, month, day }: Wall, days: number): Wall {
  const at = new Date(utcOf({ year, month, day: day + days, hour: 0, minute: 0, second: 0 }));
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: 0,
    minute: 0,
    second: 0,
  };
}

/** 0 is Sunday. */
export function weekdayOf(wall: Wall): number {
  return new Date(utcOf(wall)).getUTCDay();
}

function utcOf({ year, month, day, hour, minute, second }: Wall): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
