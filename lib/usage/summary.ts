import type { UsageRow } from "#contract/usage.ts";

export interface UsageTotal {
  /** A model id, a key id (empty for signed-in users) or a day. */
  name: string;
  quantity: number;
  requests: number;
}

/** Every unit that occurs, with its totals, the most requests first. */
export function totalsByUnit(rows: readonly UsageRow[]): UsageTotal[] {
  return grouped(rows, (row) => row.unit).sort((a, b) => b.requests - a.requests);
}

/** Totals of one unit by model, key or member, the largest first. */
export function totalsBy(
  rows: readonly UsageRow[],
  unit: string,
  by: "model" | "key_id" | "user_id",
): UsageTotal[] {
  const own = rows.filter((row) => row.unit === unit);
  return grouped(own, (row) => row[by] ?? "").sort((a, b) => b.quantity - a.quantity);
}

/** One total per day from `from` to `to` (UTC dates, both included), days without usage as zero. */
export function totalsByDay(rows: readonly UsageRow[], unit: string, from: string, to: string): UsageTotal[] {
  const byDay = new Map(
    grouped(
      rows.filter((row) => row.unit === unit),
      (row) => row.day,
    ).map((total) => [total.name, total]),
  );
  return daysBetween(from, to).map((day) => byDay.get(day) ?? { name: day, quantity: 0, requests: 0 });
}

const dayMs = 86_400_000;

/** The UTC date `daysAgo` days before `nowMs`. */
export function utcDay(nowMs: number, daysAgo = 0): string {
  return new Date(nowMs - daysAgo * dayMs).toISOString().slice(0, 10);
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += dayMs) days.push(utcDay(ms));
  return days;
}

function grouped(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string): UsageTotal[] {
  const totals = new Map<string, UsageTotal>();
  for (const row of rows) {
    const name = nameOf(row);
    const total = totals.get(name) ?? { name, quantity: 0, requests: 0 };
    total.quantity += row.quantity;
    total.requests += row.requests;
    totals.set(name, total);
  }
  return [...totals.values()];
}
