import { CircleAlert, TriangleAlert } from "lucide-react";
import type { BudgetState } from "#contract/money/budgets.ts";
import { useFormats, useWords } from "#words";
import { classNames } from "@/components/ui/looks";

/** Above this share, a budget is nearly spent. */
const nearShare = 0.8;

const looks = {
  open: { text: "text-muted", bar: "bg-(--muted)", icon: null },
  near: { text: "text-warn", bar: "bg-(--warn)", icon: TriangleAlert },
  spent: { text: "font-medium text-bad", bar: "bg-(--bad)", icon: CircleAlert },
} as const;

/** Money budgets: the amounts spent, reserved by runs and remaining, and the time of the reset. */
export function MoneyUse({ budgets }: { budgets: readonly BudgetState[] }) {
  const t = useWords("keys");
  const format = useFormats();
  return budgets.map((budget) => {
    const { amount, currency, period, hard, spent, reserved, left, resets_at: resetsAt } = budget;
    // Converted to numbers only for the bar, because amounts are exact decimal texts.
    const share = Math.min(1, Number(spent) / Number(amount));
    const stage = share === 1 ? "spent" : share >= nearShare ? "near" : "open";
    const { icon: Icon, ...look } = looks[stage];
    return (
      <div key={`${period} ${hard}`} className="mt-1 max-w-72">
        <p className={classNames("tabular text-meta", look.text)}>
          {Icon && <Icon size={13} aria-hidden className="mr-1 inline align-[-2px]" />}
          {t("moneySpent", { stage, spent, amount, currency, period, kind: hard ? "hard" : "soft" })}
        </p>
        <div aria-hidden className="mt-0.5 h-1 overflow-hidden rounded-full bg-sunken">
          <div className={classNames("h-full", look.bar)} style={{ width: `${share * 100}%` }} />
        </div>
        <p className="mt-0.5 tabular text-meta text-muted">
          {t("moneyLeft", { isReserved: reserved === "0" ? "no" : "yes", reserved, left })}
          {resetsAt &&
            t.rich(
              "resetsAt",
              {},
              {
                time: () => (
                  <time key="time" dateTime={resetsAt}>
                    {format.time(resetsAt)}
                  </time>
                ),
              },
            )}
        </p>
      </div>
    );
  });
}
