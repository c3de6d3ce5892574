"use client";

import type { AccountBudgets } from "#contract/money/credits.ts";
import { MoneyFields } from "@/components/keys/money-fields";
import { moneyBody, moneyFieldNames, moneyValues } from "@/components/keys/money-values";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

interface AccountBudgetsDialogProps {
  money: AccountBudgets;
  onClose: () => void;
}

/** Changes how much all keys and members of the account may spend together. */
export function AccountBudgetsDialog({ money, onClose }: AccountBudgetsDialogProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  return (
    <ResourceDialog
      title="Budgets of this account"
      description={`All its keys and members together, in ${money.currency}. Changes apply within a second.`}
      defaults={{ money: moneyValues(money.budgets) }}
      names={moneyFieldNames}
      submitLabel="Save budgets"
      save={(values) =>
        settle(act("PATCH /account/budgets", { body: { budgets: moneyBody(values.money) } }), () => {
          toast({ title: "Budgets changed" });
          onClose();
          router.refresh();
        })
      }
      onClose={onClose}
    >
      {({ register, formState: { errors } }) => <MoneyFields register={register} errors={errors.money} />}
    </ResourceDialog>
  );
}
