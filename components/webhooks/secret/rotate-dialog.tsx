"use client";

import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Time } from "@/components/ui/time";
import { answerOf } from "@/lib/browser/action-answer";
import type { GatewayFailure } from "@/lib/gateway/result";
import { rotateCallbackSecret } from "@/lib/gateway/secret-actions";
import { SecretDialog } from "./secret-dialog.tsx";

interface RotateDialogProps {
  open: boolean;
  busy: boolean;
  /** Why no new secret was created. */
  failure: GatewayFailure | null;
  onClose: () => void;
  onRotate: (overlapSeconds: number) => void;
}

const overlaps = [
  { value: "86400", label: "overlapDay", hint: "overlapDayHint" },
  { value: "3600", label: "overlapHour", hint: "overlapHourHint" },
  { value: "604800", label: "overlapWeek", hint: "overlapWeekHint" },
  { value: "0", label: "overlapNone", hint: "overlapNoneHint" },
] as const;

type Overlap = (typeof overlaps)[number]["value"];

/** Asks before a new secret is created, and how long the old one stays valid. */
export function RotateDialog({ open, busy, failure, onClose, onRotate }: RotateDialogProps) {
  const t = useWords("secrets");
  const [overlap, setOverlap] = useState<Overlap>("86400");
  const end = new Date(Date.now() + Number(overlap) * 1000).toISOString();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && !busy && onClose()}
      title={t("rotateTheSigningSecret")}
      description={t("aNewSecretIsCreated")}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("cancel")}
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onRotate(Number(overlap))}>
            {t("createNewSecret")}
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <RadioGroup
          legend={t("keepTheOldSecretValid")}
          options={overlaps.map(({ value, label, hint }) => ({ value, label: t(label), hint: t(hint) }))}
          value={overlap}
          onChange={setOverlap}
        />
        <p role="status" className="rounded-control bg-warn-soft px-3 py-2 text-table text-warn">
          {overlap === "0"
            ? t("yourReceiverWillRejectDeliveries")
            : t.rich(
                "bothSignaturesUntil",
                {},
                { time: () => <Time key="time" value={end} mode="absolute" /> },
              )}
        </p>
        {failure && <ErrorPanel error={failure} />}
      </div>
    </Dialog>
  );
}

/** Asks how long the old callback secret stays valid, then shows the new one. */
export function RotateCallbackSecret({ onDone }: { onDone: () => void }) {
  const t = useWords("secrets");
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, failure, send } = useSend();
  const rotate = async (overlapSeconds: number) => {
    const answer = await send(() => answerOf(rotateCallbackSecret(overlapSeconds)));
    if (answer.ok) setSecret(answer.data.key);
  };
  if (secret !== null)
    return (
      <SecretDialog secret={secret} name={t("callbackSecret")} envName="CALLBACK_SECRET" onDone={onDone} />
    );
  return <RotateDialog open busy={busy} failure={failure} onClose={onDone} onRotate={rotate} />;
}
