import type { Prepaid } from "#contract/money/budgets.ts";
import { useWords } from "#words";

/** The remaining credit of an account. */
export function PrepaidBalance({ prepaid: { balance, reserved, currency } }: { prepaid: Prepaid }) {
  const t = useWords("settings");
  return (
    <p>
      <span className="block text-meta text-muted">{t("prepaidCredit")}</span>
      <span className="tabular text-title font-semibold">
        {balance} {currency}
      </span>
      <span className="block text-meta text-muted">
        {t("creditMeans", { isReserved: reserved === "0" ? "no" : "yes", reserved })}
      </span>
    </p>
  );
}
