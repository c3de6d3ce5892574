import type { BudgetPeriod } from "#contract/money/budgets.ts";

const dayMs = 86_400_000;

/** The first day (UTC) of the period that contains the moment; empty for `total`, which has none. */
export function startOf(period: BudgetPeriod, atMs: number): string {
  const at = new Date(atMs);
  switch (period) {
    case "day":
      return dateOf(at);
    case "week":
      return dateOf(new Date(atMs - ((at.getUTCDay() + 6) % 7) * dayMs));
    case "month":
      return `${dateOf(at).slice(0, 7)}-01`;
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

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
