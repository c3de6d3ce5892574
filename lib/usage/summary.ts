import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { UsageCost, UsageRow } from "#contract/usage.ts";

/** The unit of costs, in addition to the billing units. */
export const money = "cost";

/** A sum in one unit, with its cost. */
export type Summed = Pick<UsageRow, "unit" | "quantity" | "requests"> & { cost: UsageCost };

export interface UsageTotal {
  /** A model id, a key id (empty for signed-in users), a day or a unit. */
  name: string;
  /** A quantity in a billing unit. For money, a number rounded for charts; `amount` has the exact text. */
  quantity: number;
  requests: number;
  /** Null: no part of the usage has a price. */
  amount: string | null;
  /** Number of runs without a price. */
  notPriced: number;
}

/** Every unit that occurs, with its totals, sorted by requests. */
export function totalsByUnit(rows: readonly Summed[]): UsageTotal[] {
  return grouped(rows, (row) => row.unit).sort((a, b) => b.requests - a.requests);
}

/** Totals of one unit, or of all costs, grouped by `nameOf`, the largest first. */
export function totalsBy<Row extends Summed>(
  rows: readonly Row[],
  shown: string,
  nameOf: (row: Row) => string,
): UsageTotal[] {
  const own = shown === money ? rows : rows.filter((row) => row.unit === shown);
  const totals = grouped(own, nameOf);
  if (shown === money) for (const total of totals) total.quantity = Number(total.amount ?? 0);
  return totals.sort((a, b) => b.quantity - a.quantity || b.requests - a.requests);
}

/** One total per day from `from` to `to` (UTC dates, both included). Days without usage are zero. */
export function totalsByDay(
  rows: readonly UsageRow[],
  shown: string,
  from: string,
  to: string,
): UsageTotal[] {
  const byDay = new Map(totalsBy(rows, shown, ({ day }) => day ?? "").map((total) => [total.name, total]));
  return daysBetween(from, to).map((day) => byDay.get(day) ?? nothing(day));
}

function nothing(name: string): UsageTotal {
  return { name, quantity: 0, requests: 0, amount: null, notPriced: 0 };
}

const dayMs = 86_400_000;

/** The UTC date `daysAgo` days before `nowMs`. */
export function utcDay(nowMs: number, daysAgo = 0): string {
  return new Date(nowMs - daysAgo * dayMs).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += dayMs) days.push(utcDay(ms));
  return days;
}

function grouped<Row extends Summed>(rows: readonly Row[], nameOf: (row: Row) => string): UsageTotal[] {
  const totals = new Map<string, UsageTotal>();
  const amounts = new Map<string, bigint>();
  for (const row of rows) {
    const name = nameOf(row);
    const total = totals.get(name) ?? nothing(name);
    total.quantity += row.quantity;
    total.requests += row.requests;
    total.notPriced += row.cost.not_priced;
    totals.set(name, total);
    if (row.cost.amount !== null) amounts.set(name, (amounts.get(name) ?? 0n) + decimalOf(row.cost.amount));
  }
  // Adds exactly and formats once.
  for (const [name, amount] of amounts) {
    const total = totals.get(name);
    if (total) total.amount = decimalText(amount);
  }
  return [...totals.values()];
}
