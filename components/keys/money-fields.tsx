import { useId } from "react";
import type { FieldErrors, UseFormRegisterReturn } from "react-hook-form";
import { budgetPeriods } from "#contract/money/budget-constants.ts";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { type MoneyValues, type moneyFieldNames, moneyProblem, periodLabels } from "./money-values.ts";

interface MoneyFieldsProps {
  /** For a form with the field `money`. */
  register: (name: (typeof moneyFieldNames)[number], options: typeof rules) => UseFormRegisterReturn;
  errors: FieldErrors<MoneyValues> | undefined;
}

const rules = { validate: (text: string) => moneyProblem(text) ?? true };

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
                  {...register(`money.${kind}.${period}`, rules)}
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
