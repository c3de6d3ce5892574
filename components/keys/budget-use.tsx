import { CircleAlert, TriangleAlert } from "lucide-react";
import type { TaskBudget } from "#contract/money/budgets.ts";
import { limitsText } from "@/components/tasks/task-look";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/page/link";
import { type BudgetHolder, type BudgetState, budgetStates } from "./budget-state.ts";
import { MoneyUse } from "./money-use.tsx";

const looks = {
  open: { text: "text-muted", bar: "bg-(--muted)", icon: null, word: "" },
  near: { text: "text-warn", bar: "bg-(--warn)", icon: TriangleAlert, word: "Almost used up: " },
  spent: { text: "font-medium text-bad", bar: "bg-(--bad)", icon: CircleAlert, word: "Used up: " },
} as const satisfies Record<BudgetState["stage"], object>;

/**
 * How much of its budget a key or member has used, and its cap per task. Renders nothing if it has neither.
 */
export function BudgetUse({ holder }: { holder: Omit<BudgetHolder, "name"> }) {
  return (
    <>
      <MoneyUse budgets={holder.budgets ?? []} />
      {holder.task_budget && <TaskCap cap={holder.task_budget} holder={holder.id ?? ""} />}
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

interface TaskCapProps {
  cap: TaskBudget;
  /** The id of the account or key that has the cap. */
  holder: string;
}

/** The cap per task of an account or key, with a link to its tasks. */
export function TaskCap({ cap, holder }: TaskCapProps) {
  return (
    <p className="mt-1 text-meta text-muted wrap-anywhere">
      Each <code>{cap.metadata_key}</code>: at most {limitsText(cap)}.{" "}
      <Link
        href={`/usage/tasks?${new URLSearchParams({ holder })}`}
        className="whitespace-nowrap text-accent underline"
      >
        Tasks under this cap
      </Link>
    </p>
  );
}
