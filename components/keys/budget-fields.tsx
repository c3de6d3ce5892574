import { useId } from "react";
import type { FieldErrors, UseFormRegisterReturn } from "react-hook-form";
import type { Quantities } from "#contract/accounts/keys.ts";
import { type BillingUnit, billingUnits } from "#contract/catalog-constants.ts";
import { metadataLimits } from "#contract/metadata.ts";
import { budgetPeriods } from "#contract/money/budget-constants.ts";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { formatNumber } from "@/lib/format";
import {
  budgetProblem,
  type TaskCapValues,
  type taskCapFieldNames,
  taskCapProblems,
} from "./budget-values.ts";
import { type MoneyValues, type moneyFieldNames, moneyProblem, periodLabels } from "./money-values.ts";

interface BudgetFieldsProps {
  /** For a form with the field `monthly_budget`. */
  register: (name: `monthly_budget.${BillingUnit}`, options: typeof rules) => UseFormRegisterReturn;
  errors: FieldErrors<Record<BillingUnit, string>> | undefined;
  /** This month's usage, in units that have a budget. */
  used?: Quantities;
}

const rules = { validate: (text: string) => budgetProblem(text) ?? true };

/** Labels of the units. */
const labels: Record<BillingUnit, string> = {
  token: "Chat tokens",
  character: "Speech characters",
  second: "Audio and video seconds",
  generation: "Image generations",
  operation: "Voice operations",
};

/** A quantity for each billing unit per month. */
export function BudgetFields({ register, errors, used = {} }: BudgetFieldsProps) {
  const noteId = useId();
  return (
    <fieldset aria-describedby={noteId} className="min-w-0">
      <legend className="sr-only">Limits by unit</legend>
      <p id={noteId} className="mb-3 text-meta text-muted">
        These limits reset each month (UTC). Each run reserves its maximum usage when it starts. Runs that
        exceed the budget are rejected.
      </p>
      <div className="grid gap-3 phone:grid-cols-2">
        {billingUnits.map((unit) => (
          <Field
            key={unit}
            label={labels[unit]}
            hint={used[unit] !== undefined && `${formatNumber(used[unit])} used this month`}
            error={errors?.[unit]?.message}
          >
            {(aria) => (
              <Input
                {...aria}
                {...register(`monthly_budget.${unit}`, rules)}
                inputMode="decimal"
                placeholder="no limit"
                autoComplete="off"
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}

interface MoneyFieldsProps {
  /** For a form with the field `money`. */
  register: (name: (typeof moneyFieldNames)[number], options: typeof moneyRules) => UseFormRegisterReturn;
  errors: FieldErrors<MoneyValues> | undefined;
}

const moneyRules = { validate: (text: string) => moneyProblem(text) ?? true };

const kinds = [
  { kind: "hard", word: "limit", none: "no limit" },
  { kind: "soft", word: "notice", none: "no notice" },
] as const;

/** A hard and a soft amount of money for each period. */
export function MoneyFields({ register, errors }: MoneyFieldsProps) {
  const noteId = useId();
  return (
    <fieldset aria-describedby={noteId} className="min-w-0">
      <legend className="sr-only">Budgets in money</legend>
      <p id={noteId} className="mb-3 text-meta text-muted">
        A limit rejects runs that could exceed the limit, and runs of models without a price. A notice only
        warns. Both send events at 50, 80 and 100 %. Days, weeks (from Monday) and months are in UTC.
      </p>
      <div className="grid gap-3 phone:grid-cols-2">
        {budgetPeriods.flatMap((period) =>
          kinds.map(({ kind, word, none }) => (
            <Field
              key={`${kind} ${period}`}
              label={`${periodLabels[period]}: ${word}`}
              error={errors?.[kind]?.[period]?.message}
            >
              {(aria) => (
                <Input
                  {...aria}
                  {...register(`money.${kind}.${period}`, moneyRules)}
                  inputMode="decimal"
                  placeholder={none}
                  autoComplete="off"
                />
              )}
            </Field>
          )),
        )}
      </div>
    </fieldset>
  );
}

interface FormWithCap {
  task_budget: TaskCapValues;
}

interface TaskCapFieldsProps {
  /** For a form with the field `task_budget`. */
  register: (name: (typeof taskCapFieldNames)[number], options: Rule) => UseFormRegisterReturn;
  errors: FieldErrors<TaskCapValues> | undefined;
  /** The installation's currency. Undefined if unknown. */
  currency?: string | undefined;
}

interface Rule {
  validate: (text: string, form: FormWithCap) => string | true;
}

const ruleOf = (name: keyof TaskCapValues): Rule => ({
  validate: (text, { task_budget }) => taskCapProblems[name](text, task_budget) ?? true,
});

const capRules = {
  metadata_key: ruleOf("metadata_key"),
  amount: ruleOf("amount"),
  max_runs: ruleOf("max_runs"),
};

/** A metadata key, and how much money and how many runs each of its values may use. */
export function TaskCapFields({ register, errors, currency }: TaskCapFieldsProps) {
  const noteId = useId();
  return (
    <fieldset aria-describedby={noteId} className="min-w-0">
      <legend className="sr-only">Cap per task</legend>
      <p id={noteId} className="mb-3 text-meta text-muted">
        Stops an agent in a loop. Each value of a metadata key is a task with its own limit. Runs that do not
        send the key are rejected.
      </p>
      <div className="grid gap-3 phone:grid-cols-2">
        <Field
          label="Metadata key"
          hint="For example “session”. Leave the field empty for no cap."
          error={errors?.metadata_key?.message}
          className="phone:col-span-2 phone:max-w-[50%]"
        >
          {(aria) => (
            <Input
              {...aria}
              {...register("task_budget.metadata_key", capRules.metadata_key)}
              maxLength={metadataLimits.keyLength}
              placeholder="no cap"
              autoComplete="off"
              spellCheck={false}
              className="font-mono placeholder:font-sans"
            />
          )}
        </Field>
        <Field
          label={currency ? `Money per task, in ${currency}` : "Money per task"}
          error={errors?.amount?.message}
        >
          {(aria) => (
            <Input
              {...aria}
              {...register("task_budget.amount", capRules.amount)}
              inputMode="decimal"
              placeholder="no limit"
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="Runs per task" error={errors?.max_runs?.message}>
          {(aria) => (
            <Input
              {...aria}
              {...register("task_budget.max_runs", capRules.max_runs)}
              inputMode="numeric"
              placeholder="no limit"
              autoComplete="off"
            />
          )}
        </Field>
      </div>
    </fieldset>
  );
}
