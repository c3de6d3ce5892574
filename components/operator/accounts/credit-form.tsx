"use client";

import { useMemo, useState } from "react";
import { useForm } from "react-hook-form";
import type { CreditCreate } from "#contract/money/budgets.ts";
import { creditFields } from "#contract/money/constants.ts";
import { parseDecimal } from "#contract/money/decimal.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/bound-fields";
import { requiredIn } from "@/components/ui/form/field";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { act } from "@/lib/gateway/act";
import { type TypedAmount, typedAmount } from "@/lib/written-amount";
import type { Words } from "@/messages/words";

interface CreditFormProps {
  accountId: string;
  currency: string;
  isPrepaid: boolean;
}

const fields = ["amount", "note"] as const;

/** Adds credit to an account. The first credit makes the account prepaid. */
export function CreditForm({ accountId, currency, isPrepaid }: CreditFormProps) {
  const t = useWords("operatorAccounts");
  const amounts = useWords("amounts");
  const router = usePageRouter();
  const { toast } = useToast();
  const [added, setAdded] = useState(0);
  /** A first credit below zero that waits for confirmation. */
  const [asked, setAsked] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each credit that was added is followed by another.
  const key = useMemo(newRunKey, [added]);
  const form = useForm({ defaultValues: { amount: "", note: "" } });
  const { isSubmitting } = form.formState;
  const { failure, send: ask } = useSend({ names: fields, setError: form.setError });

  const send = form.handleSubmit(async ({ amount, note }) => {
    const { value = "" } = creditIn(t, amounts, amount);
    if (!isPrepaid && value.startsWith("-") && value !== asked) return setAsked(value);
    const answer = await ask(() =>
      answerOf(
        act("POST /operator/accounts/{id}/credits", {
          params: { id: accountId },
          body: { amount: value, note: note.trim() },
          // A repeated request with the same key adds the credit only once.
          idempotencyKey: key,
        }),
      ),
    );
    if (!answer.ok) return;
    toast({ title: t("creditAdded") });
    form.reset();
    setAsked(null);
    setAdded((count) => count + 1);
    router.refresh();
  });

  return (
    <form
      onSubmit={send}
      noValidate
      className="flex max-w-120 flex-col gap-4 rounded-panel border bg-panel p-4"
    >
      {!isPrepaid && <p className="text-table text-muted">{t("theFirstCreditMakesThe")}</p>}
      <TextField
        form={form}
        name="amount"
        label={t("amountInCurrency", { currency })}
        required={requiredIn<CreditCreate>("amount")}
        hint={t("aNegativeAmountRemovesCredit")}
        check={(text) => creditIn(t, amounts, text).problem}
        onValue={() => setAsked(null)}
        inputMode="decimal"
      />
      <TextField
        form={form}
        name="note"
        rule={creditFields.note}
        label={t("note")}
        hint={t("forExampleAnInvoiceNumber")}
        missing={t("enterWhatTheCreditIs")}
      />
      {failure && <ErrorPanel error={failure} />}
      {asked !== null && (
        <p role="alert" className="rounded-control bg-warn-soft p-3">
          {t("askedCurrencyMakesTheAccount", { asked, currency })}
        </p>
      )}
      <div>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {asked === null ? t("addCredit") : t("makeTheAccountPrepaidWith", { asked, currency })}
        </Button>
      </div>
    </form>
  );
}

function creditIn(t: Words<"operatorAccounts">, amounts: Words<"amounts">, text: string): TypedAmount {
  const noCredit = t("enterAnAmount");
  const amount = typedAmount(amounts, text, noCredit);
  return amount.value !== undefined && !parseDecimal(amount.value) ? { problem: noCredit } : amount;
}

/** Lets an account run without credit again. */
export function EndPrepayment({ accountId, name }: { accountId: string; name: string }) {
  const t = useWords("operatorAccounts");
  const router = usePageRouter();
  const [isOpen, setOpen] = useState(false);
  const { busy, failure, send } = useSend();
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("endPrepayment")}</Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t("endThePrepaymentOfName", { name })}
        body={t("theAccountNoLongerNeeds")}
        confirmLabel={t("endPrepayment")}
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={async () => {
          const end = () => act("DELETE /operator/accounts/{id}/credits", { params: { id: accountId } });
          if (!(await send(() => answerOf(end()))).ok) return;
          setOpen(false);
          router.refresh();
        }}
      />
    </>
  );
}
