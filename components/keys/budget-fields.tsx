import { useId } from "react";
import type { FieldErrors, UseFormRegisterReturn } from "react-hook-form";
import type { Quantities } from "#contract/accounts/keys.ts";
import { type BillingUnit, billingUnits } from "#contract/catalog-constants.ts";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { formatNumber } from "@/lib/format";
import { budgetProblem } from "./budget-values.ts";

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
