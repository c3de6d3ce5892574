"use client";

import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import { billingUnits } from "#contract/catalog-constants.ts";
import type { BudgetInputs } from "#contract/money/budgets.ts";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { settle } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { BudgetFields } from "./budget-fields.tsx";
import type { BudgetHolder } from "./budget-state.ts";
import { type BudgetValues, budgetBody, budgetValues } from "./budget-values.ts";
import { MoneyFields } from "./money-fields.tsx";
import { type MoneyValues, moneyBody, moneyFieldNames, moneyValues } from "./money-values.ts";

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

interface Values {
  monthly_budget: BudgetValues;
  money: MoneyValues;
}

const names = [...billingUnits.map((unit) => `monthly_budget.${unit}` as const), ...moneyFieldNames];

/** Sets, changes or removes the budgets of a key or member. */
export function BudgetDialog({ holder, covers, save, onSaved, onClose }: BudgetDialogProps) {
  return (
    <ResourceDialog<Values>
      title={`Budgets of “${holder.name}”`}
      description={[covers, "Changes apply within a second."].filter(Boolean).join(" ")}
      defaults={{
        monthly_budget: budgetValues(holder.monthly_budget),
        money: moneyValues(holder.budgets ?? []),
      }}
      names={names}
      submitLabel="Save budgets"
      save={({ monthly_budget: units, money }) =>
        settle(save({ monthly_budget: budgetBody(units), budgets: moneyBody(money) }), onSaved)
      }
      onClose={onClose}
    >
      {({ register, formState: { errors } }) => (
        <>
          {holder.budgets && (
            <>
              <h3 className="text-table font-medium">In money</h3>
              <MoneyFields register={register} errors={errors.money} />
              <h3 className="text-table font-medium">In units</h3>
            </>
          )}
          <BudgetFields register={register} errors={errors.monthly_budget} used={holder.used_this_month} />
        </>
      )}
    </ResourceDialog>
  );
}
