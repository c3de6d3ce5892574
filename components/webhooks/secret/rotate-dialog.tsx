"use client";

import { useState } from "react";
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
  { value: "86400", label: "24 hours", hint: "For a planned change." },
  { value: "3600", label: "1 hour", hint: "For a change that is ready to roll out." },
  { value: "604800", label: "7 days", hint: "For several receivers updated one at a time." },
  {
    value: "0",
    label: "None",
    hint: "For a secret that has leaked. All earlier secrets stop working immediately.",
  },
] as const;

type Overlap = (typeof overlaps)[number]["value"];

/** Asks before a new secret is created, and how long the old one stays valid. */
export function RotateDialog({ open, busy, failure, onClose, onRotate }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>("86400");
  const end = new Date(Date.now() + Number(overlap) * 1000).toISOString();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && !busy && onClose()}
      title="Rotate the signing secret?"
      description="A new secret is created and shown only once. Have a safe place ready to store the secret."
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onRotate(Number(overlap))}>
            Create new secret
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <RadioGroup
          legend="Keep the old secret valid for"
          options={overlaps}
          value={overlap}
          onChange={setOverlap}
        />
        <p role="status" className="rounded-control bg-warn-soft px-3 py-2 text-table text-warn">
          {overlap === "0" ? (
            "Your receiver will reject deliveries until it has the new secret. Rejected deliveries are retried automatically."
          ) : (
            <>
              Each delivery has both signatures until <Time value={end} mode="absolute" />. After that, the
              old secret is no longer valid. Earlier secrets expire as planned. If the endpoint has a key
              pair, the pair is replaced as well.
            </>
          )}
        </p>
        {failure && <ErrorPanel error={failure} />}
      </div>
    </Dialog>
  );
}

/** Asks how long the old callback secret stays valid, then shows the new one. */
export function RotateCallbackSecret({ onDone }: { onDone: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, failure, send } = useSend();
  const rotate = async (overlapSeconds: number) => {
    const answer = await send(() => answerOf(rotateCallbackSecret(overlapSeconds)));
    if (answer.ok) setSecret(answer.data.key);
  };
  if (secret !== null)
    return <SecretDialog secret={secret} name="callback secret" envName="CALLBACK_SECRET" onDone={onDone} />;
  return <RotateDialog open busy={busy} failure={failure} onClose={onDone} onRotate={rotate} />;
}
