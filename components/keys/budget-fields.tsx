import { useId } from "react";
import { useFormContext } from "react-hook-form";
import type { Quantities } from "#contract/accounts/keys.ts";
import { type BillingUnit, billingUnits } from "#contract/catalog-constants.ts";
import { metadataLimits } from "#contract/metadata.ts";
import { budgetPeriods } from "#contract/money/budget-constants.ts";
import { TextField } from "@/components/ui/form/bound-fields";
import { formatNumber } from "@/lib/format";
import { budgetProblem, type TaskCapValues, taskCapProblems } from "./budget-values.ts";
import { type MoneyValues, moneyProblem, periodLabels } from "./money-values.ts";
import { modelTokensProblem, type TokenRateValues, tokensProblem } from "./token-rates.ts";

/** Labels of the units. */
const labels: Record<BillingUnit, string> = {
  token: "Chat tokens",
  character: "Speech characters",
  second: "Audio and video seconds",
  generation: "Image generations",
  operation: "Voice operations",
};

/**
 * A quantity for each billing unit per month, for a form with the field `monthly_budget`. `used` is this month's
 * usage, in units that have a budget.
 */
export function BudgetFields({ used = {} }: { used?: Quantities }) {
  const form = useFormContext<{ monthly_budget: Record<BillingUnit, string> }>();
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
          <TextField
            key={unit}
            form={form}
            name={`monthly_budget.${unit}`}
            label={labels[unit]}
            hint={used[unit] !== undefined && `${formatNumber(used[unit])} used this month`}
            check={budgetProblem}
            inputMode="decimal"
            placeholder="no limit"
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Tokens per minute, with all models together and with single ones, for a form with these two fields. */
export function TokenRateFields({ none = "no limit" }: { none?: string }) {
  const form = useFormContext<TokenRateValues>();
  return (
    <div className="grid gap-3 phone:grid-cols-2">
      <TextField
        form={form}
        name="tokens_per_minute"
        label="Tokens per minute"
        hint="Input and output of text, with all models together. A request that does not fit waits or is rejected."
        check={tokensProblem}
        inputMode="numeric"
        placeholder={none}
      />
      <TextField
        form={form}
        name="model_tokens_per_minute"
        label="Tokens per minute by model"
        hint="One model per line, and its number."
        check={modelTokensProblem}
        rows={2}
        mono
        placeholder="svc/chat-1 20000"
      />
    </div>
  );
}

const kinds = [
  { kind: "hard", word: "limit", none: "no limit" },
  { kind: "soft", word: "notice", none: "no notice" },
] as const;

/** A hard and a soft amount of money for each period, for a form with the field `money`. */
export function MoneyFields() {
  const form = useFormContext<{ money: MoneyValues }>();
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
            <TextField
              key={`${kind} ${period}`}
              form={form}
              name={`money.${kind}.${period}`}
              label={`${periodLabels[period]}: ${word}`}
              check={moneyProblem}
              inputMode="decimal"
              placeholder={none}
            />
          )),
        )}
      </div>
    </fieldset>
  );
}

/**
 * A metadata key, and how much money and how many runs each of its values may use, for a form with the field
 * `task_budget`. The installation's currency is undefined if unknown.
 */
export function TaskCapFields({ currency }: { currency?: string | undefined }) {
  const form = useFormContext<{ task_budget: TaskCapValues }>();
  const part = (name: keyof TaskCapValues) => ({
    form,
    name: `task_budget.${name}` as const,
    check: (text: string, { task_budget }: { task_budget: TaskCapValues }) =>
      taskCapProblems[name](text, task_budget),
  });
  const noteId = useId();
  return (
    <fieldset aria-describedby={noteId} className="min-w-0">
      <legend className="sr-only">Cap per task</legend>
      <p id={noteId} className="mb-3 text-meta text-muted">
        Stops an agent in a loop. Each value of a metadata key is a task with its own limit. Runs that do not
        send the key are rejected.
      </p>
      <div className="grid gap-3 phone:grid-cols-2">
        <TextField
          {...part("metadata_key")}
          label="Metadata key"
          hint="For example “session”. Leave the field empty for no cap."
          rule={{ maxLength: metadataLimits.keyLength }}
          className="phone:col-span-2 phone:max-w-[50%]"
          placeholder="no cap"
          mono
          look="placeholder:font-sans"
        />
        <TextField
          {...part("amount")}
          label={currency ? `Money per task, in ${currency}` : "Money per task"}
          inputMode="decimal"
          placeholder="no limit"
        />
        <TextField {...part("max_runs")} label="Runs per task" inputMode="numeric" placeholder="no limit" />
      </div>
    </fieldset>
  );
}
