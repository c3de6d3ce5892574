import type { Language } from "../../messages/languages.ts";
import { spacedFigures } from "../../messages/marks.ts";
import { dateLocale } from "../format.ts";
import { daysBetween, utcDay } from "./summary.ts";

/** UTC dates, both included, with the previous period of the same length. */
export interface UsageSpan {
  from: string;
  to: string;
  beforeFrom: string;
  beforeTo: string;
}

/** The period as written in a page's address. */
export interface SpanAsked {
  days: string;
  month?: string;
  from?: string;
  to?: string;
}

/** Spans on usage pages, in days. */
export const usageSpans = ["7", "30", "90"] as const;

const dayMs = 86_400_000;
/** Longest span. Sums of more days would not fit into one answer, and the bars would be too thin to see. */
export const maxDays = 366;
const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/;

/**
 * A range takes precedence over a month, and a month over days. Invalid values are ignored. A range ends
 * today at the latest and is cut to `maxDays`. The current month is compared with the same number of days of
 * the previous month.
 */
export function usageSpan({ days, month = "", from = "", to = "" }: SpanAsked, nowMs: number): UsageSpan {
  const today = utcDay(nowMs);
  if (isDay(from) && isDay(to) && from <= to && from <= today) {
    const last = to < today ? to : today;
    const earliest = utcDay(Date.parse(last), maxDays - 1);
    return withBefore(from > earliest ? from : earliest, last);
  }
  if (monthForm.test(month) && `${month}-01` <= today) {
    const [first, end] = [`${month}-01`, lastDayOf(month)];
    const isOver = end < today;
    const last = isOver ? end : today;
    const monthBefore = utcDay(Date.parse(first), 1).slice(0, 7);
    const beforeEnd = lastDayOf(monthBefore);
    const sameDay = `${monthBefore}-${last.slice(8)}`;
    // A whole month is compared with a whole month.
    const beforeTo = isOver || sameDay > beforeEnd ? beforeEnd : sameDay;
    return { from: first, to: last, beforeFrom: `${monthBefore}-01`, beforeTo };
  }
  return withBefore(utcDay(nowMs, Number(days) - 1), today);
}

function withBefore(from: string, to: string): UsageSpan {
  const count = daysBetween(from, to).length;
  const first = Date.parse(from);
  return { from, to, beforeFrom: utcDay(first, count), beforeTo: utcDay(first, 1) };
}

/** The months that a page offers, newest first. */
export function recentMonths(
  language: Language,
  nowMs: number,
  count = 12,
): { value: string; label: string }[] {
  const now = new Date(nowMs);
  const monthName = new Intl.DateTimeFormat(dateLocale(language), {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return Array.from({ length: count }, (_, ago) => {
    const ms = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1);
    return { value: utcDay(ms).slice(0, 7), label: spacedFigures(monthName.format(ms)) };
  });
}

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && utcDay(Date.parse(text)) === text
  );
}

function lastDayOf(month: string): string {
  const first = new Date(`${month}-01`);
  return utcDay(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1) - dayMs);
}
