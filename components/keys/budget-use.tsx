import { CircleAlert, TriangleAlert } from "lucide-react";
import { classNames } from "@/components/ui/class-names";
import { type BudgetHolder, type BudgetState, budgetStates } from "./budget-state.ts";
import { MoneyUse } from "./money-use.tsx";

const looks = {
  open: { text: "text-muted", bar: "bg-(--muted)", icon: null, word: "" },
  near: { text: "text-warn", bar: "bg-(--warn)", icon: TriangleAlert, word: "Almost used up: " },
  spent: { text: "font-medium text-bad", bar: "bg-(--bad)", icon: CircleAlert, word: "Used up: " },
} as const satisfies Record<BudgetState["stage"], object>;

/** How much of its budget a key or member has used; nothing without a budget. */
export function BudgetUse({ holder }: { holder: Omit<BudgetHolder, "name"> }) {
  return (
    <>
      <MoneyUse budgets={holder.budgets ?? []} />
      <UnitsUse holder={holder} />
    </>
  );
}

function UnitsUse({ holder }: { holder: Omit<BudgetHolder, "name"> }) {
  return budgetStates(holder).map(({ unit, text, share, stage }) => {
    const { icon: Icon, ...look } = looks[stage];
    return (
      <div key={unit} className="mt-1 max-w-72">
        <p className={classNames("tabular text-meta", look.text)}>
          {Icon && <Icon size={13} aria-hidden className="mr-1 inline align-[-2px]" />}
          {look.word}
          {text}
        </p>
        <div aria-hidden className="mt-0.5 h-1 overflow-hidden rounded-full bg-sunken">
          <div className={classNames("h-full", look.bar)} style={{ width: `${share * 100}%` }} />
        </div>
      </div>
    );
  });
}
