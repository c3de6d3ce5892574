"use client";

import { useState } from "react";
import type { Connection } from "#contract/connections.ts";
import { useWords } from "#words";
import { BudgetDialog } from "@/components/keys/budget-dialog";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { SelectField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { ActionResult } from "@/lib/gateway/result";
import { endAfter, lifetimes } from "./consent-values.ts";

export type ConnectionQuestion = "budget" | "end" | "revoke";

interface ConnectionDialogsProps {
  question: ConnectionQuestion;
  connection: Connection;
  /** The installation's currency. Empty for visitors who may not see usage. */
  currency: string;
  onClose: () => void;
  onChanged: () => void;
}

/** The dialogs about a connection. */
export function ConnectionDialogs(props: ConnectionDialogsProps) {
  const t = useWords("connections");
  const { question, connection, currency, onClose, onChanged } = props;
  const of = { params: { id: connection.id } };
  const { toast } = useToast();
  const [days, setDays] = useState("30");
  const { busy, failure, send } = useSend();
  const done = (title: string) => {
    toast({ title });
    onChanged();
  };
  /** Sends a change. If it fails, the dialog stays open and shows the failure. */
  const change = async (call: ActionResult<unknown>, title: string) => {
    const answer = await send(() => answerOf(call));
    if (answer.ok) done(title);
  };

  if (question === "budget")
    return (
      <BudgetDialog
        holder={{ ...connection, name: connection.client.name }}
        currency={currency}
        save={(budgets) => act("PATCH /connections/{id}", { ...of, body: budgets })}
        onSaved={() => done(t("budgetsChanged"))}
        onClose={onClose}
      />
    );
  if (question === "end")
    return (
      <Dialog
        open
        onOpenChange={(next) => !next && !busy && onClose()}
        title={t("changeTheExpiry")}
        description={t("theTimeStartsNowTokens")}
        footer={
          <>
            <Button onClick={onClose} disabled={busy}>
              {t("cancel")}
            </Button>
            <Button
              variant="primary"
              busy={busy}
              onClick={() => {
                const body = { expires_at: endAfter(days, Date.now()) };
                void change(act("PATCH /connections/{id}", { ...of, body }), t("expiryChanged"));
              }}
            >
              {t("saveExpiry")}
            </Button>
          </>
        }
      >
        <div className="space-y-3">
          <SelectField
            label={t("connected")}
            value={days}
            onValue={setDays}
            options={lifetimes.map((days) => [days, t(`days${days}`)])}
          />
          {failure && <ErrorPanel error={failure} />}
        </div>
      </Dialog>
    );
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t("disconnectThisClient")}
      body={t("clientStops", { name: connection.client.name })}
      confirmLabel={t("disconnect")}
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={() => change(act("DELETE /connections/{id}", of), t("disconnected"))}
    />
  );
}
