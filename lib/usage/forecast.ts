import { decimalOf, decimalText, divideRounded } from "#contract/money/decimal.ts";
import type { UsageTotal } from "./summary.ts";
import { utcDay } from "./summary.ts";

/** Number of whole days on which the forecast is based. */
export const forecastDays = 7;

export interface Forecast {
  /** The cost of this month until now. */
  soFar: string;
  /** The cost at the end of the month, if the coming days are like the last seven. */
  expected: string;
  /** The last day of the month, as a UTC date. */
  lastDay: string;
}

/**
 * The first day that a forecast needs, as a UTC date: the first of the month, or of the last seven whole
 * days.
 */
export function forecastFrom(nowMs: number): string {
  const [earlier = ""] = [monthOf(nowMs).first, utcDay(nowMs, forecastDays)].sort();
  return earlier;
}

/** The forecast cost of this month. Null while the last seven whole days have no cost. */
export function forecastOf(
  days: readonly Pick<UsageTotal, "name" | "amount">[],
  nowMs: number,
): Forecast | null {
  const today = utcDay(nowMs);
  const { first, last } = monthOf(nowMs);
  const recentFrom = utcDay(nowMs, forecastDays);
  let soFar = 0n;
  let recent = 0n;
  let ofToday = 0n;
  for (const { name, amount } of days) {
    if (amount === null) continue;
    const value = decimalOf(amount);
    if (name >= first && name <= today) soFar += value;
    if (name >= recentFrom && name < today) recent += value;
    if (name === today) ofToday += value;
  }
  if (recent <= 0n) return null;
  const averageDay = divideRounded(recent, BigInt(forecastDays));
  const comingDays = Math.round((Date.parse(last) - Date.parse(today)) / 86_400_000);
  // Today is not over: it counts as an average day, unless it has already cost more.
  const restOfToday = averageDay > ofToday ? averageDay - ofToday : 0n;
  const expected = soFar + restOfToday + averageDay * BigInt(comingDays);
  return { soFar: decimalText(soFar), expected: decimalText(expected), lastDay: last };
}

function monthOf(nowMs: number): { first: string; last: string } {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { first: utcDay(Date.UTC(year, month, 1)), last: utcDay(Date.UTC(year, month + 1, 0)) };
}
