"use client";

import { useState } from "react";
import type { AttestationKind } from "#contract/attestations.ts";
import { ConfirmDialog } from "@/components/ui/dialog";
import { withdrawAttestation } from "@/lib/attestations/actions";
import { gateOfKind } from "@/lib/attestations/gates";
import { settled } from "@/lib/browser/settled";
import type { GatewayFailure } from "@/lib/gateway/result";

interface WithdrawDialogProps {
  /** Null: closed. */
  kind: AttestationKind | null;
  onWithdrawn: () => void;
  onClose: () => void;
}

export function WithdrawDialog({ kind, onWithdrawn, onClose }: WithdrawDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<GatewayFailure | null>(null);
  const close = () => {
    setError(null);
    onClose();
  };

  const withdraw = async () => {
    if (kind === null) return;
    setBusy(true);
    setError(null);
    const answer = await settled(withdrawAttestation(kind));
    setBusy(false);
    if (answer.ok) onWithdrawn();
    else setError(answer.error);
  };

  return (
    <ConfirmDialog
      open={kind !== null}
      onOpenChange={(next) => !next && close()}
      title={kind === null ? "" : `Withdraw the ${gateOfKind(kind).title.toLowerCase()}?`}
      body={
        <p>
          New runs that need it will be rejected, both in this console and with account keys. Runs in progress
          are not affected. You can attest again at any time.
        </p>
      }
      confirmLabel="Withdraw"
      tone="bad"
      busy={busy}
      failure={error}
      onConfirm={withdraw}
    />
  );
}
