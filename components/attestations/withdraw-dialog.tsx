"use client";

import { useState } from "react";
import { permissionsOfRole } from "#contract/accounts/permissions.ts";
import type { AttestationKind, StandingAttestation } from "#contract/attestations.ts";
import { useAccess } from "@/components/team/access";
import { AnswerChoice } from "@/components/team/answer-choice";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { withdrawAttestation } from "@/lib/attestations/actions";
import { gateOfKind } from "@/lib/attestations/gates";
import { answerOf } from "@/lib/browser/action-answer";
import { handOverKeys } from "@/lib/team/actions";

interface WithdrawDialogProps {
  /** Null: closed. */
  kind: AttestationKind | null;
  standing: readonly StandingAttestation[];
  onWithdrawn: () => void;
  onClose: () => void;
}

export function WithdrawDialog({ kind, standing, onWithdrawn, onClose }: WithdrawDialogProps) {
  const { busy, failure, show, send } = useSend();
  const [answersTo, setAnswersTo] = useState("");
  const { userId } = useAccess();
  const ofKind = standing.filter((each) => each.kind === kind);
  const keys = ofKind.find(({ user }) => user.id === userId)?.service_keys ?? [];
  const others = ofKind.filter(
    ({ user, role }) => user.id !== userId && permissionsOfRole(role).has("attestations:answer"),
  );
  const close = () => {
    show(null);
    setAnswersTo("");
    onClose();
  };

  const withdraw = async () => {
    if (kind === null) return;
    const ids = keys.map(({ id }) => id);
    const answer = await send<unknown>(async () => {
      const handedOver = answersTo ? await answerOf(handOverKeys(ids, answersTo)) : null;
      return handedOver && !handedOver.ok ? handedOver : answerOf(withdrawAttestation(kind));
    });
    if (answer.ok) onWithdrawn();
  };

  return (
    <ConfirmDialog
      open={kind !== null}
      onOpenChange={(next) => !next && close()}
      title={kind === null ? "" : `Withdraw the ${gateOfKind(kind).title.toLowerCase()}?`}
      body={
        <div className="space-y-3">
          <p>
            Your runs that need this, from this console and with your personal keys, are rejected from now on,
            also those accepted but not yet sent to a provider. You can attest again at any time.
          </p>
          <AnswerChoice
            subject="You answer"
            keys={keys}
            others={others.map(({ user }) => user)}
            value={answersTo}
            onChange={setAnswersTo}
          />
        </div>
      }
      confirmLabel="Withdraw"
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={withdraw}
    />
  );
}
