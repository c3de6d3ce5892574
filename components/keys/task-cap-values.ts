import { metadataLimits } from "#contract/metadata.ts";
import { taskRuns } from "#contract/money/budget-constants.ts";
import type { TaskBudget, TaskBudgetInput } from "#contract/money/budgets.ts";
import { unambiguous } from "@/lib/written-amount";
import { limitProblem } from "./budget-values.ts";
import { moneyAmount, moneyProblem } from "./money-values.ts";

/** A cap per task as typed. If the metadata key is empty, there is no cap. */
export type TaskCapValues = Record<"metadata_key" | "amount" | "max_runs", string>;

type Problem = string | undefined;

/** The field names in a form with the field `task_budget`. */
export const taskCapFieldNames = (["metadata_key", "amount", "max_runs"] as const).map(
  (name) => `task_budget.${name}` as const,
);

/** The form's values for a cap, or for none. */
export function taskCapValues(cap: TaskBudget | null): TaskCapValues {
  return {
    metadata_key: cap?.metadata_key ?? "",
    amount: unambiguous(cap?.amount ?? ""),
    max_runs: String(cap?.max_runs ?? ""),
  };
}

/** The cap for the form's values; null if there is none. */
export function taskCapBody({ metadata_key, amount, max_runs }: TaskCapValues): TaskBudgetInput | null {
  if (metadata_key.trim() === "") return null;
  return {
    metadata_key: metadata_key.trim(),
    amount: moneyAmount(amount),
    max_runs: max_runs.trim() === "" ? null : Number(max_runs),
  };
}

/** Return the problem with each field, given all values. Undefined if the field is valid. */
export const taskCapProblems = {
  metadata_key: (text: string, { amount, max_runs }: TaskCapValues): Problem => {
    const key = text.trim();
    if (key.length > metadataLimits.keyLength)
      return `A metadata key has at most ${metadataLimits.keyLength} characters.`;
    return key === "" && `${amount}${max_runs}`.trim() !== ""
      ? "Enter the metadata key that names a task, such as session, or clear the limits."
      : undefined;
  },
  amount: (text: string, { metadata_key, max_runs }: TaskCapValues): Problem =>
    metadata_key.trim() !== "" && `${text}${max_runs}`.trim() === ""
      ? "Enter an amount, a number of runs, or both."
      : moneyProblem(text),
  max_runs: (text: string): Problem => limitProblem(text, taskRuns),
};
