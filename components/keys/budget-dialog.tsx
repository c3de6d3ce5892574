"use client";

import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import type { TokenRateInputs } from "#contract/accounts/token-rates.ts";
import { billingUnits } from "#contract/catalog-constants.ts";
import type { BudgetInputs, TaskBudgetInput } from "#contract/money/budgets.ts";
import { useWords } from "#words";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { settle } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";
import { BudgetFields, MoneyFields, TaskCapFields, TokenRateFields } from "./budget-fields.tsx";
import type { BudgetHolder } from "./budget-use.tsx";
import {
  type BudgetValues,
  budgetBody,
  budgetValues,
  type TaskCapValues,
  taskCapBody,
  taskCapFieldNames,
  taskCapValues,
} from "./budget-values.ts";
import { type MoneyValues, moneyBody, moneyFieldNames, moneyValues } from "./money-values.ts";
import { type TokenRateValues, tokenRateBody, tokenRateNames, tokenRateValues } from "./token-rates.ts";

/** The request that saves the budgets and the tokens per minute of a key or member. */
export interface BudgetChange extends TokenRateInputs {
  monthly_budget: MonthlyBudget | null;
  budgets: BudgetInputs;
  /** Missing for a member, who has no cap per task. */
  task_budget?: TaskBudgetInput | null;
}

interface BudgetDialogProps {
  holder: BudgetHolder;
  /** Explains what the budget covers, if that is unclear. */
  covers?: string;
  /** The installation's currency. Undefined if unknown. */
  currency?: string | undefined;
  save: (budgets: BudgetChange) => ActionResult<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

interface Values extends TokenRateValues {
  monthly_budget: BudgetValues;
  money: MoneyValues;
  task_budget: TaskCapValues;
}

const names = [
  ...billingUnits.map((unit) => `monthly_budget.${unit}` as const),
  ...moneyFieldNames,
  ...taskCapFieldNames,
  ...tokenRateNames,
];

/** Sets, changes or removes the budgets and the tokens per minute of a key or member. */
export function BudgetDialog({ holder, covers, currency, save, onSaved, onClose }: BudgetDialogProps) {
  const t = useWords("keys");
  const { tokens_per_minute: tokens, model_tokens_per_minute: ofModels = null } = holder;
  return (
    <ResourceDialog<Values>
      title={t("budgetsOfName", { name: holder.name })}
      description={[covers, t("changesApplyWithin")].filter(Boolean).join(" ")}
      defaults={{
        monthly_budget: budgetValues(holder.monthly_budget),
        money: moneyValues(holder.budgets ?? []),
        task_budget: taskCapValues(holder.task_budget ?? null),
        ...tokenRateValues({ tokens_per_minute: tokens ?? null, model_tokens_per_minute: ofModels }),
      }}
      names={names}
      submitLabel={t("saveBudgets")}
      save={({ monthly_budget: units, money, task_budget: cap, ...rates }) =>
        settle(
          save({
            monthly_budget: budgetBody(units),
            budgets: moneyBody(money),
            ...(holder.task_budget !== undefined && { task_budget: taskCapBody(cap) }),
            ...(tokens !== undefined && tokenRateBody(rates)),
          }),
          onSaved,
        )
      }
      onClose={onClose}
    >
      {() => (
        <>
          {tokens !== undefined && (
            <>
              <h3 className="text-table font-medium">{t("inAMinute")}</h3>
              <TokenRateFields />
            </>
          )}
          {holder.budgets && (
            <>
              <h3 className="text-table font-medium">{t("inMoney")}</h3>
              <MoneyFields />
            </>
          )}
          {holder.task_budget !== undefined && (
            <>
              <h3 className="text-table font-medium">{t("perTask")}</h3>
              <TaskCapFields currency={currency} />
            </>
          )}
          {holder.budgets && <h3 className="text-table font-medium">{t("inUnits")}</h3>}
          <BudgetFields used={holder.used_this_month} />
        </>
      )}
    </ResourceDialog>
  );
}
