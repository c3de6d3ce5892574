"use client";

import type { AccountBudgets } from "#contract/money/budgets.ts";
import { useWords } from "#words";
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
  const t = useWords("settings");
  const keys = useWords("keys");
  const router = usePageRouter();
  const { toast } = useToast();
  return (
    <ResourceDialog
      title={t("budgetsOfThisAccount")}
      description={t("forAllKeysAndMembers", { currency: money.currency })}
      defaults={{
        money: moneyValues(money.budgets),
        task_budget: taskCapValues(money.task_budget),
        ...tokenRateValues(money),
      }}
      names={names}
      submitLabel={keys("saveBudgets")}
      save={({ money: amounts, task_budget: cap, ...rates }) => {
        const body = { budgets: moneyBody(amounts), task_budget: taskCapBody(cap), ...tokenRateBody(rates) };
        return settle(act("PATCH /account/budgets", { body }), () => {
          toast({ title: keys("budgetsChanged") });
          onClose();
          router.refresh();
        });
      }}
      onClose={onClose}
    >
      {() => (
        <>
          <h3 className="text-table font-medium">{keys("inMoney")}</h3>
          <MoneyFields />
          <h3 className="text-table font-medium">{keys("perTask")}</h3>
          <p className="text-meta text-muted">{t("appliesToEveryRunOf")}</p>
          <TaskCapFields currency={money.currency} />
          <h3 className="text-table font-medium">{keys("inAMinute")}</h3>
          <TokenRateFields />
        </>
      )}
    </ResourceDialog>
  );
}
