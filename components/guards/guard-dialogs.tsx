"use client";

import { useState } from "react";
import type { GuardWithSecret } from "#contract/guards.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { useToast } from "@/components/ui/toast";
import { SecretDialog } from "@/components/webhooks/secret/secret-dialog";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { rotateGuardSecret } from "@/lib/gateway/secret-actions";
import type { GuardOwner } from "./guard-values.ts";

export type GuardQuestion = { about: "rotate" | "remove" | "turnOff" } | { about: "secret"; secret: string };

interface GuardDialogsProps {
  of: GuardOwner;
  question: GuardQuestion;
  onClose: () => void;
  /** Reads the guard again. */
  onChanged: () => void;
}

/** The dialogs about a guard: its new secret, the rotation, and the removal. */
export function GuardDialogs({ of, question, onClose, onChanged }: GuardDialogsProps) {
  const t = useWords("guards");
  const { toast } = useToast();
  const { busy, failure, send } = useSend();
  const [rotated, setRotated] = useState<GuardWithSecret | null>(null);
  const secret = question.about === "secret" ? question.secret : rotated?.secret;
  if (secret !== undefined)
    return <SecretDialog secret={secret} name={t("secretName")} envName="GUARD_SECRET" onDone={onClose} />;
  if (question.about === "rotate")
    return (
      <RotateDialog
        busy={busy}
        failure={failure}
        onClose={onClose}
        onRotate={async (overlapSeconds) => {
          const answer = await send(() => answerOf(rotateGuardSecret(of, overlapSeconds)));
          if (!answer.ok) return;
          setRotated(answer.data);
          onChanged();
        }}
      />
    );
  const isRemoval = question.about === "remove";
  const end = async () => {
    const body = { enabled: false };
    const call = () => {
      if (isRemoval) return act(of === "account" ? "DELETE /account/guard" : "DELETE /operator/guard");
      return of === "account"
        ? act("PATCH /account/guard", { body })
        : act("PATCH /operator/guard", { body });
    };
    if (!(await send<unknown>(() => answerOf<unknown>(call()))).ok) return;
    toast({ title: t(isRemoval ? "removed" : "turnedOff") });
    onClose();
    onChanged();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t(isRemoval ? "removeTitle" : "turnOffTitle")}
      body={t(isRemoval ? "removeBody" : "turnOffBody")}
      confirmLabel={t(isRemoval ? "removeConfirm" : "turnOff")}
      tone={isRemoval ? "bad" : "accent"}
      busy={busy}
      failure={failure}
      onConfirm={end}
    />
  );
}

interface RotateDialogProps extends Pick<ReturnType<typeof useSend>, "busy" | "failure"> {
  onClose: () => void;
  onRotate: (overlapSeconds: number) => void;
}

/** Asks how long the old secret also signs. */
function RotateDialog({ busy, failure, onClose, onRotate }: RotateDialogProps) {
  const t = useWords("guards");
  const [overlap, setOverlap] = useState("86400");
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title={t("rotateTitle")}
      description={t("rotateDescription")}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("cancel")}
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onRotate(Number(overlap))}>
            {t("createSecret")}
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <RadioGroup
          legend={t("overlap")}
          options={[
            { value: "86400", label: t("overlapDay"), hint: t("overlapDayHint") },
            { value: "3600", label: t("overlapHour"), hint: t("overlapHourHint") },
            { value: "604800", label: t("overlapWeek"), hint: t("overlapWeekHint") },
            { value: "0", label: t("overlapNone"), hint: t("overlapNoneHint") },
          ]}
          value={overlap}
          onChange={setOverlap}
        />
        <p role="status" className="rounded-control bg-warn-soft px-3 py-2 text-table text-warn">
          {overlap === "0" ? t("rotateNone") : t("rotateBoth")}
        </p>
        {failure && <ErrorPanel error={failure} />}
      </div>
    </Dialog>
  );
}
