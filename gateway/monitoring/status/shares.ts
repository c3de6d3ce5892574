import type { Outcome, OutcomeRow } from "#gateway/platform/figures/outcomes.ts";

/** With fewer runs, shares are rounded down to tenths: a finer share would reveal how few there were. */
const fewRuns = 20;
const [tenths, thousandths] = [10, 1000];

/** Of the runs that could work, how many did; null: none. Rounded down, so that 1 says that there was no fault. */
export function shareOf({ good, faults }: Outcome): number | null {
  const runs = good + faults;
  if (runs === 0) return null;
  const steps = runs < fewRuns ? tenths : thousandths;
  return Math.floor((good * steps) / runs) / steps;
}

/** The share of each of these days, and of all of them together. */
export function sharesOf(
  rows: readonly OutcomeRow[],
  days: readonly number[],
): { share: number | null; days: { day: string; share: number | null }[] } {
  const byDay = new Map(days.map((day) => [day, { good: 0, faults: 0 }]));
  const total = { good: 0, faults: 0 };
  for (const { at, good, faults } of rows) {
    const day = byDay.get(at);
    if (!day) continue;
    for (const sum of [day, total]) {
      sum.good += good;
      sum.faults += faults;
    }
  }
  return {
    share: shareOf(total),
    days: [...byDay].map(([at, sum]) => ({
      day: new Date(at).toISOString().slice(0, 10),
      share: shareOf(sum),
    })),
  };
}
