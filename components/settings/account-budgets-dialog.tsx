"use client";

import type { AccountBudgets } from "#contract/money/budgets.ts";
import { MoneyFields, TaskCapFields, TokenRateFields } from "@/components/keys/budget-fields";
import { taskCapBody, taskCapFieldNames, taskCapValues } from "@/components/keys/budget-values";
import { moneyBody, moneyFieldNames, moneyValues } from "@/components/keys/money-values";
import { tokenRateBody, tokenRateNames, tokenRateValues } from "@/components/keys/token-rates";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

const names = [...moneyFieldNames, ...taskCapFieldNames, ...tokenRateNames];

interface AccountBudgetsDialogProps {
  money: AccountBudgets;
  onClose: () => void;
}

/** Changes how much all keys and members of the account together may spend. */
export function AccountBudgetsDialog({ money, onClose }: AccountBudgetsDialogProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  return (
    <ResourceDialog
      title="Budgets of this account"
      description={`For all keys and members together, in ${money.currency}. Changes apply within a second.`}
      defaults={{
        money: moneyValues(money.budgets),
        task_budget: taskCapValues(money.task_budget),
        ...tokenRateValues(money),
      }}
      names={names}
      submitLabel="Save budgets"
      save={({ money: amounts, task_budget: cap, ...rates }) => {
        const body = { budgets: moneyBody(amounts), task_budget: taskCapBody(cap), ...tokenRateBody(rates) };
        return settle(act("PATCH /account/budgets", { body }), () => {
          toast({ title: "Budgets changed" });
          onClose();
          router.refresh();
        });
      }}
      onClose={onClose}
    >
      {() => (
        <>
          <h3 className="text-table font-medium">In money</h3>
          <MoneyFields />
          <h3 className="text-table font-medium">Per task</h3>
          <p className="text-meta text-muted">
            Applies to every run of the account. Runs from this console must name their task in the JSON of
            the input. To cap only an agent, set the cap on its key or connection.
          </p>
          <TaskCapFields currency={money.currency} />
          <h3 className="text-table font-medium">In a minute</h3>
          <TokenRateFields />
        </>
      )}
    </ResourceDialog>
  );
}
