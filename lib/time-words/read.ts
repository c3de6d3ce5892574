import { inEnglish } from "./chinese.ts";

/** A time of day or part of the day at the start or end of a text. */
interface ClockWords {
  /** Minutes after midnight. */
  from: number;
  /** The end of a part of the day. Null: it is a single time. */
  to: number | null;
  /** The text without the time. */
  rest: string;
}

const hour = 60;

const partsOfDay: Record<string, [from: number, to: number]> = {
  morning: [6 * hour, 12 * hour],
  afternoon: [12 * hour, 18 * hour],
  evening: [18 * hour, 24 * hour],
};

const named: Record<string, number> = { noon: 12 * hour, midday: 12 * hour, midnight: 0 };

const clock = String.raw`(?<hours>\d{1,2})(?:[:.](?<minutes>\d{2}))?\s*(?<half>am|pm|a\.m\.|p\.m\.)?`;

const atStart = new RegExp(`^${clock}(?![\\w.])`);

const atEnd = new RegExp(`(?<![\\w.:])${clock}$`);

const aName = new RegExp(`\\b(${[...Object.keys(partsOfDay), ...Object.keys(named)].join("|")})\\b`);

/**
 * `14:00`, `2 pm`, `noon`, `morning`. Null if the text has none. A plain number is an hour only if `bare` is
 * true.
 */
function findClock(text: string, bare = false): ClockWords | null {
  const name = aName.exec(text)?.[1];
  if (name !== undefined) {
    const rest = text.replace(name, " ").replace(/\s+/g, " ").trim();
    const part = partsOfDay[name];
    return part ? { from: part[0], to: part[1], rest } : { from: named[name] ?? 0, to: null, rest };
  }
  for (const pattern of [atEnd, atStart]) {
    const found = pattern.exec(text);
    if (!found?.groups) continue;
    const { hours = "", minutes, half } = found.groups;
    // Without this, the 24 in `24.11` would be read as an hour.
    const isTime = half !== undefined || found[0].includes(":") || (bare && found[0] === text);
    const from = isTime ? minutesOf(Number(hours), Number(minutes ?? 0), half?.[0]) : null;
    if (from !== null) return { from, to: null, rest: text.replace(found[0], " ").trim() };
  }
  return null;
}

function minutesOf(hours: number, minutes: number, half: string | undefined): number | null {
  if (minutes > 59 || hours > (half ? 12 : 24) || (half && hours === 0)) return null;
  if (hours === 24 && minutes > 0) return null;
  const inDay = half ? (hours % 12) + (half === "p" ? 12 : 0) : hours;
  return inDay * hour + minutes;
}

/** A period; the end is not included. Null: open. */
interface Stretch {
  fromMs: number | null;
  toMs: number | null;
}

/** Why words are no period: a message of `ui`. */
export type TimeProblem = "timeNotUnderstood" | "timeEndsFirst" | "timeInFuture";

type ReadWords = { stretch: Stretch; problem: null } | { stretch: null; problem: TimeProblem };

/** A part of a text with its start and end. A time of day or "3 hours ago" ends where it starts. */
interface Moment {
  fromMs: number;
  toMs: number;
  /** The period that this part means when it is the whole text. */
  alone: Stretch;
}

const maxTextLength = 100;

const secondMs = 1_000;

const hourMs = 3_600_000;

const unitMs: Record<string, number> = {
  second: secondMs,
  sec: secondMs,
  minute: 60 * secondMs,
  min: 60 * secondMs,
  hour: hourMs,
  hr: hourMs,
  h: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
};

const units = "second|sec|minute|min|hour|hr|h|day|week|month|year";

const someUnits = new RegExp(`^(?:(?:last|past) )(?:(\\d{1,4}) )?(${units})s?$`);

const unitsAgo = new RegExp(`^(\\d{1,4}|an?|one) ?(${units})s? ago$`);

/** A time as clocks and calendars of a zone show it. Months count from 1. */
interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/**
 * Formatters are cached: creating one costs a hundred times as much as using it, and a browser shows only one
 * or two time zones.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Reads a period from words, in the viewer's time zone.
 *
 * `chrono-node` reads moments and not periods: with an adapter of 45 lines, 20 of the 71 examples of the tests
 * come out otherwise, such as “this week”, “dec”, “24.11.” and days on which clocks change. It has 13 kB of
 * script instead of 3.
 */
export function readTimeWords(text: string, nowMs: number, timeZone: string): ReadWords {
  if (text.length > maxTextLength) return refused("timeNotUnderstood");
  const stretch = stretchOf(plain(inEnglish(text)), { nowMs, timeZone, today: wallAt(nowMs, timeZone) });
  if (!stretch) return refused("timeNotUnderstood");
  const { fromMs, toMs } = stretch;
  if (fromMs !== null && toMs !== null && fromMs >= toMs) return refused("timeEndsFirst");
  if (fromMs !== null && fromMs > nowMs) return refused("timeInFuture");
  return { stretch, problem: null };
}

function wallAt(atMs: number, timeZone: string): Wall {
  const parts = formatOf(timeZone).formatToParts(atMs);
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    parts.map(({ type, value }) => [type, Number(value)]),
  ) as unknown as Wall;
  return { year, month, day, hour, minute, second };
}

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

function refused(problem: TimeProblem): ReadWords {
  return { stretch: null, problem };
}

/** Removes case, commas and filler words. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[,;]/g, " ")
    .replace(/\b(on|at|the|in|of|around|about|o'clock)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

interface Viewpoint {
  nowMs: number;
  timeZone: string;
  today: Wall;
}

function stretchOf(text: string, at: Viewpoint): Stretch | null {
  const open = /^(since|from|after|before|until|till|up to) (.+)$/.exec(text);
  const range = rangeOf(text.replace(/\b(from|between) /, ""), at);
  if (range) return range;
  if (open) {
    const moment = momentOf(open[2] ?? "", at);
    if (!moment) return null;
    if (open[1] === "before") return { fromMs: null, toMs: moment.fromMs };
    if (open[1] === "after") return { fromMs: moment.toMs, toMs: null };
    const isFrom = open[1] === "since" || open[1] === "from";
    return isFrom ? { fromMs: moment.fromMs, toMs: null } : { fromMs: null, toMs: moment.toMs };
  }
  return momentOf(text, at)?.alone ?? null;
}

const between =
  /^(.+?)(?: (?:to|until|till|and|-|–|—) |(?<=[\d:](?:am|pm)?)[-–—](?=\d{1,2}(?:[:.]\d{2})?\s*(?:am|pm)?(?:$| )))(.+)$/;

/**
 * `yesterday 14:00 to 15:00`: an end without a day is on the day of the start, and a start without a day on
 * that of the end.
 */
function rangeOf(text: string, at: Viewpoint): Stretch | null {
  const found = /^\d{4}-\d/.test(text)
    ? /^(.+?) (?:to|until|till|and|-|–|—) (.+)$/.exec(text)
    : between.exec(text);
  if (!found) return null;
  const [, first = "", second = ""] = found;
  const [firstClock, secondClock] = [findClock(first, true), findClock(second, true)];
  if (secondClock?.rest === "") {
    const half = /[ap]\.?m\.?$/.exec(second)?.[0];
    const start = momentOf(
      half && /(^| )\d{1,2}(:\d\d)?$/.test(first) ? first + half : first,
      at,
      at.today,
      true,
    );
    if (!start) return null;
    const day = wallAt(start.fromMs, at.timeZone);
    const end = clockOn(secondClock, day, at);
    const isNextDay = end.fromMs <= start.fromMs && firstClock !== null;
    const last = isNextDay ? clockOn(secondClock, { ...day, day: day.day + 1 }, at) : end;
    return { fromMs: start.fromMs, toMs: last.toMs };
  }
  const end = momentOf(second, at);
  if (!end) return null;
  const start =
    firstClock?.rest === "" ? clockOn(firstClock, wallAt(end.fromMs, at.timeZone), at) : momentOf(first, at);
  return start && { fromMs: start.fromMs, toMs: end.toMs };
}

/** `day` is used if the text names no day. */
function momentOf(text: string, at: Viewpoint, day?: Wall, bare = false): Moment | null {
  if (text === "now") return pointAt(at.nowMs);
  const exact = /^\d{4}-\d\d-\d\dt\d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d:?\d\d)$/.test(text);
  if (exact) return aMoment(Date.parse(text.toUpperCase()));
  return relativeOf(text, at) ?? onDays(text.replace(/(\d)t(\d)/, "$1 $2"), at, day, bare);
}

function relativeOf(text: string, { nowMs }: Viewpoint): Moment | null {
  const some = someUnits.exec(text);
  // Last week, month and year mean those of the calendar.
  const isCalendar = /^last (week|month|year)$/.test(text);
  if (some && !isCalendar) return openSince(backFrom(nowMs, Number(some[1] ?? 1), some[2] ?? ""));
  const ago = unitsAgo.exec(text);
  if (!ago || ago[2] === "day") return null;
  return openSince(backFrom(nowMs, numberOf(ago[1]), ago[2] ?? ""));
}

function numberOf(text: string | undefined): number {
  return text === undefined || text === "a" || text === "an" || text === "one" ? 1 : Number(text);
}

function backFrom(nowMs: number, count: number, unit: string): number {
  const ms = unitMs[unit];
  if (ms !== undefined) return nowMs - count * ms;
  const at = new Date(nowMs);
  at.setUTCMonth(at.getUTCMonth() - count * (unit === "year" ? 12 : 1));
  return at.getTime();
}

/** Whole days. The second one is not included. */
type Days = [from: Wall, to: Wall];

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

function onDays(text: string, at: Viewpoint, day: Wall | undefined, bare: boolean): Moment | null {
  const whole = daysOf(text, at.today);
  if (whole) {
    const [fromMs, toMs] = whole.map((each) => atWall(each, at.timeZone)) as [number, number];
    return { fromMs, toMs, alone: { fromMs, toMs } };
  }
  const clock = findClock(text, bare);
  if (!clock) return null;
  if (clock.rest !== "") {
    const days = daysOf(clock.rest, at.today);
    return days && clockOn(clock, days[0], at);
  }
  const here = clockOn(clock, day ?? at.today, at);
  // A time without a day means its latest occurrence.
  return here.fromMs <= at.nowMs ? here : clockOn(clock, { ...at.today, day: at.today.day - 1 }, at);
}

/**
 * The moment when clocks of the zone show this time. Parts may overflow: day 0 is the last day of the
 * previous month. A time that summer time skips is read as an hour later. Of a time that occurs twice, the
 * first is used.
 */
function atWall(wall: Wall, timeZone: string): number {
  const asUtcMs = utcOf(wall);
  const offsetAt = (atMs: number) => utcOf(wallAt(atMs, timeZone)) - Math.floor(atMs / 1000) * 1000;
  const dayMs = 86_400_000;
  const candidates = [asUtcMs - offsetAt(asUtcMs - dayMs), asUtcMs - offsetAt(asUtcMs + dayMs)];
  const shown = candidates.filter((atMs) => atMs + offsetAt(atMs) === asUtcMs);
  return shown.length > 0 ? Math.min(...shown) : Math.max(...candidates);
}

function utcOf({ year, month, day, hour, minute, second }: Wall): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The days that a text means: the latest ones that are not in the future. Null: not understood. */
function daysOf(text: string, today: Wall): Days | null {
  if (text === "today") return one(today);
  if (text === "yesterday") return one(dayAfter(today, -1));
  if (text === "day before yesterday") return one(dayAfter(today, -2));
  const ago = /^(\d{1,4}|a|one) days? ago$/.exec(text);
  if (ago) return one(dayAfter(today, -numberOf(ago[1])));
  return periodOf(text, today) ?? weekdayIn(text, today) ?? dateIn(text, today) ?? monthIn(text, today);
}

/** Midnight `days` days after the given day. */
function dayAfter({ year, month, day }: Wall, days: number): Wall {
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

function one(day: Wall): Days {
  return [dayAfter(day, 0), dayAfter(day, 1)];
}

function periodOf(text: string, today: Wall): Days | null {
  const found = /^(this|last|previous) (week|month|year)$/.exec(text);
  if (!found) return null;
  const back = found[1] === "this" ? 0 : 1;
  if (found[2] === "week") {
    const monday = dayAfter(today, -((weekdayOf(today) + 6) % 7) - 7 * back);
    return [monday, dayAfter(monday, 7)];
  }
  if (found[2] === "month") return monthOf(today.year, today.month - back);
  return [
    dayAfter({ ...today, year: today.year - back, month: 1, day: 1 }, 0),
    dayAfter({ ...today, year: today.year - back + 1, month: 1, day: 1 }, 0),
  ];
}

/** 0 is Sunday. */
function weekdayOf(wall: Wall): number {
  return new Date(utcOf(wall)).getUTCDay();
}

function monthOf(year: number, month: number): Days {
  const first = { year, month, day: 1, hour: 0, minute: 0, second: 0 };
  return [dayAfter(first, 0), dayAfter({ ...first, month: month + 1 }, 0)];
}

/** `tuesday` may be today. `last tuesday` is always earlier. */
function weekdayIn(text: string, today: Wall): Days | null {
  const found = /^(?:(last|previous|this|past) )?([a-z]+)$/.exec(text);
  const name = found?.[2] ?? "";
  const weekday = name.length < 3 ? -1 : weekdays.findIndex((each) => isShortFor(name, each));
  if (weekday === -1) return null;
  const back = (weekdayOf(today) - weekday + 7) % 7;
  const isBefore = found?.[1] === "last" || found?.[1] === "previous";
  return one(dayAfter(today, -(back === 0 && isBefore ? 7 : back)));
}

function isShortFor(text: string, name: string): boolean {
  return name.startsWith(text) || (text === "sept" && name === "september");
}

/** `2026-11-24`, `24 nov`, `nov 24 2026`, `24.11.`, `24/11/2026`. */
function dateIn(text: string, today: Wall): Days | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return dateOf(today, Number(iso[3]), Number(iso[2]), Number(iso[1]));
  const numbers = /^(\d{1,2})[./](\d{1,2})(?:[./](\d{4})?)?$/.exec(text);
  if (numbers) {
    const [first, second] = [Number(numbers[1]), Number(numbers[2])];
    const year = numbers[3] === undefined ? undefined : Number(numbers[3]);
    // The day comes first, as elsewhere in the console, unless only the other order is possible.
    return second > 12 ? dateOf(today, second, first, year) : dateOf(today, first, second, year);
  }
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]{3,})\.?(?: (\d{4}))?$/.exec(text);
  const monthFirst = /^([a-z]{3,})\.? (\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/.exec(text);
  const [day, month, year] = dayFirst
    ? [dayFirst[1], dayFirst[2], dayFirst[3]]
    : [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]];
  const number = monthNumber(month);
  if (number === 0) return null;
  return dateOf(today, Number(day), number, year === undefined ? undefined : Number(year));
}

function dateOf(today: Wall, day: number, month: number, year: number | undefined): Days | null {
  const inYear = (wanted: number) => dayAfter({ ...today, year: wanted, month, day }, 0);
  const found = inYear(year ?? today.year);
  if (found.month !== month || found.day !== day) return null;
  const isAhead = month > today.month || (month === today.month && day > today.day);
  return one(year === undefined && isAhead ? inYear(today.year - 1) : found);
}

/** From 1. 0 if the text is not a month. */
function monthNumber(text: string | undefined): number {
  return text === undefined ? 0 : months.findIndex((each) => isShortFor(text, each)) + 1;
}

function monthIn(text: string, today: Wall): Days | null {
  const found = /^([a-z]{3,})(?: (\d{4}))?$/.exec(text);
  const month = monthNumber(found?.[1]);
  if (month === 0) return null;
  const year = found?.[2] ? Number(found[2]) : month > today.month ? today.year - 1 : today.year;
  return monthOf(year, month);
}

function clockOn({ from, to }: Pick<ClockWords, "from" | "to">, day: Wall, { timeZone }: Viewpoint): Moment {
  const msOf = (minute: number) => atWall({ ...day, hour: 0, minute, second: 0 }, timeZone);
  const fromMs = msOf(from);
  if (to === null) return aMoment(fromMs);
  return { fromMs, toMs: msOf(to), alone: { fromMs, toMs: msOf(to) } };
}

/** A time by itself means the hour that starts then. */
function aMoment(atMs: number): Moment {
  return { fromMs: atMs, toMs: atMs, alone: { fromMs: atMs, toMs: atMs + hourMs } };
}

function openSince(fromMs: number): Moment {
  return { fromMs, toMs: fromMs, alone: { fromMs, toMs: null } };
}

function pointAt(atMs: number): Moment {
  return openSince(atMs);
}
