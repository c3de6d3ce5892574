import { CircleAlert, TriangleAlert } from "lucide-react";
import type { MonthlyBudget, Quantities } from "#contract/accounts/keys.ts";
import { type BillingUnit, billingUnits } from "#contract/catalog-constants.ts";
import type { BudgetState as MoneyBudget, TaskBudget } from "#contract/money/budgets.ts";
import { useWords } from "#words";
import { limitsText } from "@/components/tasks/task-look";
import { classNames } from "@/components/ui/looks";
import { Link } from "@/components/ui/page/link";
import type { Words } from "@/messages/words";
import { MoneyUse } from "./money-use.tsx";

interface BudgetState {
  unit: BillingUnit;
  used: number;
  budget: number;
  /** 0..1, even if the budget is overdrawn. */
  share: number;
  stage: "open" | "near" | "spent";
}

const looks = {
  open: { text: "text-muted", bar: "bg-(--muted)", icon: null },
  near: { text: "text-warn", bar: "bg-(--warn)", icon: TriangleAlert },
  spent: { text: "font-medium text-bad", bar: "bg-(--bad)", icon: CircleAlert },
} as const satisfies Record<BudgetState["stage"], object>;

/** A key, or a member. */
export interface BudgetHolder {
  /** Of a key. */
  id?: string;
  name: string;
  monthly_budget: MonthlyBudget | null;
  used_this_month: Quantities;
  /** Budgets in money. */
  budgets?: readonly MoneyBudget[];
  /** Missing for members. */
  task_budget?: TaskBudget | null;
  /** Missing for connections, as are those by model. */
  tokens_per_minute?: number | null;
  model_tokens_per_minute?: Record<string, number> | null;
}

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

/** Above this share, a budget is nearly spent. */
const nearShare = 0.8;

function UnitsUse({ holder }: { holder: Omit<BudgetHolder, "name"> }) {
  const t = useWords("keys");
  return budgetStates(holder).map((state) => {
    const { unit, share, stage } = state;
    const { icon: Icon, ...look } = looks[stage];
    return (
      <div key={unit} className="mt-1 max-w-72">
        <p className={classNames("tabular text-meta", look.text)}>
          {Icon && <Icon size={13} aria-hidden className="mr-1 inline align-[-2px]" />}
          {budgetText(state, t)}
        </p>
        <div aria-hidden className="mt-0.5 h-1 overflow-hidden rounded-full bg-sunken">
          <div className={classNames("h-full", look.bar)} style={{ width: `${share * 100}%` }} />
        </div>
      </div>
    );
  });
}

/** The state of each budget of a key or member, one per unit. */
export function budgetStates(
  holder: Pick<BudgetHolder, "monthly_budget" | "used_this_month">,
): BudgetState[] {
  return billingUnits.flatMap((unit) => {
    const budget = holder.monthly_budget?.[unit];
    if (budget === undefined) return [];
    const used = holder.used_this_month[unit] ?? 0;
    const share = Math.min(1, used / budget);
    const stage = share === 1 ? "spent" : share >= nearShare ? "near" : "open";
    return { unit, used, budget, share, stage };
  });
}

/** `Almost used up: 9,204 of 10,000 tokens this month`. */
export function budgetText({ unit, used, budget, stage }: BudgetState, t: Words<"keys">): string {
  return t("budgetUsed", { stage, used, budget, unit });
}

interface TaskCapProps {
  cap: TaskBudget;
  /** The id of the account or key that has the cap. */
  holder: string;
}

/** The cap per task of an account or key, with a link to its tasks. */
export function TaskCap({ cap, holder }: TaskCapProps) {
  const t = useWords("keys");
  const ofUi = useWords("ui");
  return (
    <p className="mt-1 text-meta text-muted wrap-anywhere">
      {t.rich(
        "eachTaskAtMost",
        { key: cap.metadata_key, limits: limitsText(ofUi, cap) },
        { code: (text) => <code key="key">{text}</code> },
      )}{" "}
      <Link
        href={`/usage/tasks?${new URLSearchParams({ holder })}`}
        className="whitespace-nowrap text-accent underline"
      >
        {t("tasksUnderThisCap")}
      </Link>
    </p>
  );
}
