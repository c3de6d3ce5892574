"use client";

import { useForm } from "react-hook-form";
import type { AccountBudgets } from "#contract/money/credits.ts";
import { MoneyFields } from "@/components/keys/money-fields";
import { moneyBody, moneyFieldNames, moneyValues } from "@/components/keys/money-values";
import { Button } from "@/components/ui/button";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

interface AccountBudgetsDialogProps {
  money: AccountBudgets;
  onClose: () => void;
}

/** Changes how much all keys and members of the account may spend together. */
export function AccountBudgetsDialog({ money, onClose }: AccountBudgetsDialogProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const form = useForm({ defaultValues: { money: moneyValues(money.budgets) } });
  const { errors, isSubmitting } = form.formState;
  const { failure, send: ask } = useSend({ names: moneyFieldNames, setError: form.setError });

  const send = form.handleSubmit(async (values) => {
    const answer = await ask(() =>
      answerOf(act("PATCH /account/budgets", { body: { budgets: moneyBody(values.money) } })),
    );
    if (!answer.ok) return;
    toast({ title: "Budgets changed" });
    onClose();
    router.refresh();
  });

  return (
    <FormDialog
      open
      busy={isSubmitting}
      onClose={onClose}
      title="Budgets of this account"
      description={`All its keys and members together, in ${money.currency}. Changes apply within a second.`}
    >
      <form onSubmit={send} noValidate className="space-y-4">
        <MoneyFields register={form.register} errors={errors.money} />
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
