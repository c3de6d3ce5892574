"use client";

import type { AttestationKind } from "#contract/attestations.ts";
import { Dialog } from "@/components/ui/dialog";
import { gateOfKind } from "@/lib/attestations/gates";
import { AttestFlow } from "./attest-flow.tsx";

interface AttestDialogProps {
  /** Null: closed. */
  kind: AttestationKind | null;
  onAttested: () => void;
  onClose: () => void;
}

/** The same reading, ticking and reviewing as before a run, from the Attestations page. */
export function AttestDialog({ kind, onAttested, onClose }: AttestDialogProps) {
  return (
    <Dialog
      open={kind !== null}
      onOpenChange={(next) => !next && onClose()}
      title={kind === null ? "" : gateOfKind(kind).title}
    >
      {kind !== null && <AttestFlow kinds={[kind]} onAttested={onAttested} onClose={onClose} />}
    </Dialog>
  );
}
