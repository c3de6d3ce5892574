import type { CostReason } from "#contract/money/constants.ts";
import { formatMoney } from "@/lib/money";

interface MoneyProps {
  /** An exact decimal. Null: not priced. */
  amount: string | null;
  currency: string;
  reason?: CostReason | null;
  /** For a narrow column: the sandbox is one word. */
  short?: boolean;
}

/** Why a run costs nothing, or why its cost is unknown. */
const reasonLabels: Record<CostReason, string> = {
  not_priced: "Not priced",
  sandbox: "Sandbox: costs nothing",
  nothing_billed: "Nothing billed",
};

/** An amount, exact on hover. An unknown amount is shown in words, never as 0. */
export function Money({ amount, currency, reason = null, short = false }: MoneyProps) {
  if (reason === "sandbox" && short) return <span className="text-muted">Sandbox</span>;
  if (reason) return <span className="text-muted">{reasonLabels[reason]}</span>;
  if (amount === null) return <span className="text-muted">{reasonLabels.not_priced}</span>;
  return (
    <span title={`${amount} ${currency}`} className="tabular whitespace-nowrap">
      {formatMoney(amount, currency)}
    </span>
  );
}
