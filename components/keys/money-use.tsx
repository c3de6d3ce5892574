import { CircleAlert, TriangleAlert } from "lucide-react";
import type { BudgetPeriod, BudgetState } from "#contract/money/budgets.ts";
import { classNames } from "@/components/ui/looks";
import { Time } from "@/components/ui/time";

const inPeriod: Readonly<Record<BudgetPeriod, string>> = {
  day: "today",
  week: "this week",
  month: "this month",
  total: "in total",
};
/** Above this share, a budget is nearly spent. */
const nearShare = 0.8;

const looks = {
  open: { text: "text-muted", bar: "bg-(--muted)", icon: null, word: "" },
  near: { text: "text-warn", bar: "bg-(--warn)", icon: TriangleAlert, word: "Almost spent: " },
  spent: { text: "font-medium text-bad", bar: "bg-(--bad)", icon: CircleAlert, word: "Spent: " },
} as const;

/** Money budgets: the amounts spent, reserved by runs and remaining, and the time of the reset. */
export function MoneyUse({ budgets }: { budgets: readonly BudgetState[] }) {
  return budgets.map((budget) => {
    const { amount, currency, period, hard, spent, reserved, left, resets_at: resetsAt } = budget;
    // Converted to numbers only for the bar, because amounts are exact decimal texts.
    const share = Math.min(1, Number(spent) / Number(amount));
    const { icon: Icon, ...look } = looks[share === 1 ? "spent" : share >= nearShare ? "near" : "open"];
    return (
      <div key={`${period} ${hard}`} className="mt-1 max-w-72">
        <p className={classNames("tabular text-meta", look.text)}>
          {Icon && <Icon size={13} aria-hidden className="mr-1 inline align-[-2px]" />}
          {look.word}
          {spent} of {amount} {currency} {inPeriod[period]}
          {hard ? "" : " (notice)"}
        </p>
        <div aria-hidden className="mt-0.5 h-1 overflow-hidden rounded-full bg-sunken">
          <div className={classNames("h-full", look.bar)} style={{ width: `${share * 100}%` }} />
        </div>
        <p className="mt-0.5 tabular text-meta text-muted">
          {reserved !== "0" && `${reserved} reserved, `}
          {left} left
          {resetsAt && (
            <>
              , resets <Time value={resetsAt} />
            </>
          )}
        </p>
      </div>
    );
  });
}
