"use client";

import type { RefObject } from "react";
import { Dialog } from "@/components/ui/dialog";
import { type AttestationCode, gates } from "@/lib/attestations/gates";
import { AttestFlow } from "./attest-flow.tsx";
import { PerRequestNote } from "./per-request-note.tsx";

const focusReturnDelayMs = 50;

interface GateDialogProps {
  open: boolean;
  /** The 403 code, or the flag found before running. */
  code: AttestationCode;
  /** The catalog id of the model that asks. */
  model: string;
  /** Called once the attestation is recorded. The caller moves the focus back to Run and never runs automatically. */
  onAttested: () => void;
  onClose: () => void;
  returnFocusTo?: RefObject<HTMLElement | null>;
}

/** Explains which attestation an operation needs and lets the signed-in user give it. */
export function GateDialog({ open, code, model, onAttested, onClose, returnFocusTo }: GateDialogProps) {
  const gate = gates[code];
  const leave = (tell: () => void) => () => {
    tell();
    // The dialog gives the focus back to what opened it first; the draft's Run button comes after.
    setTimeout(() => returnFocusTo?.current?.focus(), focusReturnDelayMs);
  };
  const close = leave(onClose);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) close();
      }}
      title={gate.title}
      description={`${model} requires this before it runs. Your draft is kept.`}
    >
      <p className="mb-3 text-base text-ink">{gate.why}</p>
      {gate.kind === null ? (
        <PerRequestNote onClose={close} />
      ) : (
        <AttestFlow kind={gate.kind} onAttested={leave(onAttested)} onClose={close} />
      )}
    </Dialog>
  );
}
