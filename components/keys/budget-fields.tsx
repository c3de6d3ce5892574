import { useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { Quantities } from "#contract/accounts/keys.ts";
import { type BillingUnit, billingUnits } from "#contract/catalog-constants.ts";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { formatNumber } from "@/lib/format";

interface BudgetFieldsProps {
  register: (unit: BillingUnit) => UseFormRegisterReturn;
  problemOf: (unit: BillingUnit) => string | undefined;
  /** What was used this month of the units that have a budget. */
  used?: Quantities;
}

/** What each unit counts. */
const labels: Record<BillingUnit, string> = {
  token: "Chat tokens",
  character: "Speech characters",
  second: "Audio and video seconds",
  generation: "Image generations",
  operation: "Voice operations",
};

/** A quantity per billing unit and month. */
export function BudgetFields({ register, problemOf, used = {} }: BudgetFieldsProps) {
  const noteId = useId();
  return (
    <fieldset aria-describedby={noteId} className="min-w-0">
      <legend className="sr-only">Limits by unit</legend>
      <p id={noteId} className="mb-3 text-meta text-muted">
        Resets each month (UTC). Each run reserves its maximum usage when it starts. Runs that exceed the
        budget are rejected.
      </p>
      <div className="grid gap-3 phone:grid-cols-2">
        {billingUnits.map((unit) => (
          <Field
            key={unit}
            label={labels[unit]}
            hint={used[unit] !== undefined && `${formatNumber(used[unit])} used this month`}
            error={problemOf(unit)}
          >
            {(aria) => (
              <Input
                {...aria}
                {...register(unit)}
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
