"use client";

import { useState } from "react";
import type { Batch, BatchResume } from "#contract/batches.ts";
import { useWords } from "#words";
import { moneyAmount, moneyProblem } from "@/components/keys/money-values";
import { Button } from "@/components/ui/button";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";
import { InputField } from "@/components/ui/form/input-fields";
import { unambiguous } from "@/lib/written-amount";

interface ResumeDialogProps {
  batch: Pick<Batch, "budgets">;
  busy: boolean;
  onResume: (body: BatchResume) => void;
  onClose: () => void;
}

/** Resumes a batch that has a budget. The user can keep, change or remove the budget. */
export function ResumeDialog({ batch, busy, onResume, onClose }: ResumeDialogProps) {
  const t = useWords("batches");
  const limit = batch.budgets.find(({ hard }) => hard);
  const [amount, setAmount] = useState(unambiguous(limit?.amount ?? ""));
  const problem = moneyProblem(useWords("amounts"), amount);
  const notices = batch.budgets.filter(({ hard }) => !hard);

  const resume = () => {
    if (problem !== undefined || busy) return;
    const wanted = moneyAmount(amount);
    if (wanted === (limit?.amount ?? null)) return onResume({});
    onResume({
      budgets: [
        ...notices.map(({ amount, currency }) => ({
          amount,
          currency,
          period: "total" as const,
          hard: false,
        })),
        ...(wanted === null ? [] : [{ amount: wanted, period: "total" as const, hard: true }]),
      ],
    });
  };

  return (
    <FormDialog open busy={busy} onClose={onClose} title={t("resumeThisBatch")}>
      <form
        className="space-y-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          resume();
        }}
      >
        <InputField
          label={t("budget")}
          hint={
            limit ? t("budgetSpent", { spent: `${limit.spent} ${limit.currency}` }) : t("budgetOfAllRows")
          }
          error={problem}
          value={amount}
          inputMode="decimal"
          placeholder={t("noLimit")}
          autoComplete="off"
          onValue={setAmount}
        />
        <FormActions>
          <Button onClick={onClose} disabled={busy}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" busy={busy}>
            {t("resume")}
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
