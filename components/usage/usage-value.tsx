import { formatCount, formatNumber } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import type { UsageTotal } from "@/lib/usage/summary";

interface UsageValueProps {
  total: UsageTotal;
  /** Null: a quantity. */
  currency: string | null;
}

/** A quantity, or the cost and the number of runs without a price. */
export function UsageValue({ total, currency }: UsageValueProps) {
  if (currency === null) return formatNumber(total.quantity);
  const { amount, notPriced } = total;
  return (
    <>
      {amount !== null && (
        <span title={`${amount} ${currency}`} className="block whitespace-nowrap">
          {formatMoney(amount, currency)}
        </span>
      )}
      {notPriced > 0 && (
        <span className="block text-meta text-muted">{formatCount(notPriced, "run")} not priced</span>
      )}
      {amount === null && notPriced === 0 && "–"}
    </>
  );
}

/** The same as text. */
export function formatValue(
  { amount, notPriced, quantity }: UsageTotal,
  unit: string,
  currency: string | null,
): string {
  if (currency === null) return formatCount(quantity, unit);
  const parts = [
    amount === null ? null : formatMoney(amount, currency),
    notPriced > 0 ? `${formatCount(notPriced, "run")} not priced` : null,
  ].filter(Boolean);
  return parts.join(", ") || "nothing";
}
