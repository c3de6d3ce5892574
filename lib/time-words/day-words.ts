import { dayAfter, type Wall, weekdayOf } from "./zone.ts";

/** Whole days; the second one is excluded. */
export type Days = [from: Wall, to: Wall];

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

/** The days that a text means: the latest ones that are not in the future. Null: not understood. */
export function daysOf(text: string, today: Wall): Days | null {
  if (text === "today") return one(today);
  if (text === "yesterday") return one(dayAfter(today, -1));
  if (text === "day before yesterday") return one(dayAfter(today, -2));
  const ago = /^(\d{1,4}|a|one) days? ago$/.exec(text);
  if (ago) return one(dayAfter(today, -numberOf(ago[1])));
  return periodOf(text, today) ?? weekdayIn(text, today) ?? dateIn(text, today) ?? monthIn(text, today);
}

export function numberOf(text: string | undefined): number {
  return text === undefined || text === "a" || text === "an" || text === "one" ? 1 : Number(text);
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

/** `tuesday` may be today; `last tuesday` is earlier. */
function weekdayIn(text: string, today: Wall): Days | null {
  const found = /^(?:(last|previous|this|past) )?([a-z]+)$/.exec(text);
  const name = found?.[2] ?? "";
  const weekday = name.length < 3 ? -1 : weekdays.findIndex((each) => isShortFor(name, each));
  if (weekday === -1) return null;
  const back = (weekdayOf(today) - weekday + 7) % 7;
  const isBefore = found?.[1] === "last" || found?.[1] === "previous";
  return one(dayAfter(today, -(back === 0 && isBefore ? 7 : back)));
}

/** `2026-11-24`, `24 nov`, `nov 24 2026`, `24.11.`, `24/11/2026`. */
function dateIn(text: string, today: Wall): Days | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return dateOf(today, Number(iso[3]), Number(iso[2]), Number(iso[1]));
  const numbers = /^(\d{1,2})[./](\d{1,2})(?:[./](\d{4})?)?$/.exec(text);
  if (numbers) {
    const [first, second] = [Number(numbers[1]), Number(numbers[2])];
    const year = numbers[3] === undefined ? undefined : Number(numbers[3]);
    // The day comes first, as the console writes it, unless only the other order is possible.
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

function monthIn(text: string, today: Wall): Days | null {
  const found = /^([a-z]{3,})(?: (\d{4}))?$/.exec(text);
  const month = monthNumber(found?.[1]);
  if (month === 0) return null;
  const year = found?.[2] ? Number(found[2]) : month > today.month ? today.year - 1 : today.year;
  return monthOf(year, month);
}

function monthOf(year: number, month: number): Days {
  const first = { year, month, day: 1, hour: 0, minute: 0, second: 0 };
  return [dayAfter(first, 0), dayAfter({ ...first, month: month + 1 }, 0)];
}

/** From 1; 0 if it is not a month. */
function monthNumber(text: string | undefined): number {
  return text === undefined ? 0 : months.findIndex((each) => isShortFor(text, each)) + 1;
}

function isShortFor(text: string, name: string): boolean {
  return name.startsWith(text) || (text === "sept" && name === "september");
}
