import type { CostReason } from "#contract/money/constants.ts";
import { useWords } from "#words";
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
const reasonLabels = {
  not_priced: "notPriced",
  sandbox: "sandboxFree",
  nothing_billed: "nothingBilled",
} as const satisfies Record<CostReason, string>;

/** An amount, exact on hover. An unknown amount is shown in words, never as 0. */
export function Money({ amount, currency, reason = null, short = false }: MoneyProps) {
  const t = useWords("ui");
  if (reason === "sandbox" && short) return <span className="text-muted">{t("sandbox")}</span>;
  if (reason) return <span className="text-muted">{t(reasonLabels[reason])}</span>;
  if (amount === null) return <span className="text-muted">{t("notPriced")}</span>;
  return (
    <span title={`${amount} ${currency}`} className="tabular whitespace-nowrap">
      {formatMoney(amount, currency)}
    </span>
  );
}
