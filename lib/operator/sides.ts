import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { OperatorUsageRow } from "#contract/operator/usage.ts";
import type { UsageCost } from "#contract/usage.ts";

/** The operator's cost, and the charge to accounts. */
export interface SidesTotal {
  id: string;
  requests: number;
  cost: UsageCost;
  charge: UsageCost;
}

/** Exact sums over all units, in the order of ids, because two accounts can have the same name. */
export function sidesBy(
  rows: readonly OperatorUsageRow[],
  idOf: (row: OperatorUsageRow) => string,
): SidesTotal[] {
  const totals = new Map<string, SidesTotal>();
  for (const row of rows) {
    const id = idOf(row);
    const before = totals.get(id);
    totals.set(id, {
      id,
      requests: (before?.requests ?? 0) + row.requests,
      cost: before ? added(before.cost, row.cost) : row.cost,
      charge: before ? added(before.charge, row.charge) : row.charge,
    });
  }
  return [...totals.values()];
}

function added(one: UsageCost, other: UsageCost): UsageCost {
  const { currency } = one;
  const notPriced = one.not_priced + other.not_priced;
  if (one.amount === null || other.amount === null)
    return { amount: one.amount ?? other.amount, currency, not_priced: notPriced };
  return {
    amount: decimalText(decimalOf(one.amount) + decimalOf(other.amount)),
    currency,
    not_priced: notPriced,
  };
}

/**
 * The charge minus the cost, and this margin as a percentage of the charge. Null if a side has no price, or
 * if the two sides price different runs: the difference is then not a margin.
 */
export function marginOf(
  cost: UsageCost,
  charge: UsageCost,
): { amount: string; percent: number | null } | null {
  if (cost.amount === null || charge.amount === null || cost.not_priced !== charge.not_priced) return null;
  const paid = decimalOf(charge.amount);
  const margin = paid - decimalOf(cost.amount);
  // The percentage is rounded for display. The amount is exact.
  const percent = paid === 0n ? null : Number((margin * 1000n) / paid) / 10;
  return { amount: decimalText(margin), percent };
}
