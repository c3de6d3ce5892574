"use client";

import { useForm } from "react-hook-form";
import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import { billingUnits } from "#contract/catalog-constants.ts";
import type { BudgetInputs } from "#contract/money/budgets.ts";
import { Button } from "@/components/ui/button";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { BudgetFields } from "./budget-fields.tsx";
import type { BudgetHolder } from "./budget-state.ts";
import { budgetBody, budgetValues } from "./budget-values.ts";
import { MoneyFields } from "./money-fields.tsx";
import { moneyBody, moneyFieldNames, moneyValues } from "./money-values.ts";

/** The request that saves the budgets of a key or member. */
export interface BudgetChange {
  monthly_budget: MonthlyBudget | null;
  budgets: BudgetInputs;
}

interface BudgetDialogProps {
  holder: BudgetHolder;
  /** Explains what the budget covers, if that is unclear. */
  covers?: string;
  save: (budgets: BudgetChange) => ActionResult<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

const fields = [...billingUnits.map((unit) => `monthly_budget.${unit}` as const), ...moneyFieldNames];

/** Sets, changes or removes the budgets of a key or member. */
export function BudgetDialog({ holder, covers, save, onSaved, onClose }: BudgetDialogProps) {
  const form = useForm({
    defaultValues: {
      monthly_budget: budgetValues(holder.monthly_budget),
      money: moneyValues(holder.budgets ?? []),
    },
  });
  const { errors, isSubmitting } = form.formState;
  const { failure, send: ask } = useSend({ names: fields, setError: form.setError });

  const send = form.handleSubmit(async (values) => {
    const answer = await ask(() =>
      answerOf(save({ monthly_budget: budgetBody(values.monthly_budget), budgets: moneyBody(values.money) })),
    );
    if (answer.ok) onSaved();
  });

  return (
    <FormDialog
      open
      busy={isSubmitting}
      onClose={onClose}
      title={`Budgets of “${holder.name}”`}
      description={[covers, "Changes apply within a second."].filter(Boolean).join(" ")}
    >
      <form onSubmit={send} noValidate className="space-y-4">
        {holder.budgets && (
          <>
            <h3 className="text-table font-medium">In money</h3>
            <MoneyFields register={form.register} errors={errors.money} />
          </>
        )}
        {holder.budgets && <h3 className="text-table font-medium">In units</h3>}
        <BudgetFields register={form.register} errors={errors.monthly_budget} used={holder.used_this_month} />
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save budgets
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
