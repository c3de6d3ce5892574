import type { BudgetPeriod } from "#contract/money/budgets.ts";

const dayMs = 86_400_000;

/** The first day (UTC) of the period that contains the moment; empty for `total`, which has none. */
export function startOf(period: BudgetPeriod, atMs: number): string {
  switch (period) {
    case "day":
      return dayOf(atMs);
    case "week":
      return dayOf(atMs - ((new Date(atMs).getUTCDay() + 6) % 7) * dayMs);
    case "month":
      return `${dayOf(atMs).slice(0, 7)}-01`;
    case "total":
      return "";
  }
}

/** When the next period begins; null for `total`. */
export function endOf(period: BudgetPeriod, startsOn: string): Date | null {
  if (period === "total") return null;
  const start = new Date(startsOn);
  if (period === "month") return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  return new Date(start.getTime() + (period === "week" ? 7 : 1) * dayMs);
}

/** A calendar month in UTC. */
interface Month {
  /** `2026-11`. */
  name: string;
  startsAt: Date;
  /** The beginning of the next month. */
  endsAt: Date;
  /** `2026-11-01`. */
  firstDay: string;
  nextFirstDay: string;
}

/** The month of a moment. */
export function monthOf(atMs: number): Month {
  const at = new Date(atMs);
  const startsAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  const endsAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  return {
    name: startsAt.toISOString().slice(0, 7),
    startsAt,
    endsAt,
    firstDay: dayOf(startsAt.getTime()),
    nextFirstDay: dayOf(endsAt.getTime()),
  };
}

/** The date of a moment in UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
