"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/error-panel";
import { RadioGroup } from "@/components/ui/radio-group";
import { Time } from "@/components/ui/time";
import type { GatewayFailure } from "@/lib/gateway/result";

interface RotateDialogProps {
  open: boolean;
  busy: boolean;
  /** Why no new one was made. */
  failure: GatewayFailure | null;
  onClose: () => void;
  onRotate: (overlapSeconds: number) => void;
}

const overlaps = [
  { value: "86400", label: "24 hours", hint: "Enough for a planned change." },
  { value: "3600", label: "1 hour", hint: "For a change that is ready to roll out." },
  { value: "604800", label: "7 days", hint: "For several receivers that change one by one." },
  {
    value: "0",
    label: "None",
    hint: "When the old secret has leaked: what is sent verifies with the new one only.",
  },
] as const;

type Overlap = (typeof overlaps)[number]["value"];

/** Warns before a new secret is made, and settles how long the old one lives on. */
export function RotateDialog({ open, busy, failure, onClose, onRotate }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>("86400");
  const end = new Date(Date.now() + Number(overlap) * 1000).toISOString();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && !busy && onClose()}
      title="Rotate the signing secret?"
      description="A new secret is made and shown once. Have a place ready to store it."
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onRotate(Number(overlap))}>
            Make a new secret
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <RadioGroup
          legend="The old secret goes on signing for"
          options={overlaps}
          value={overlap}
          onChange={setOverlap}
        />
        <p role="status" className="rounded-control bg-warn-soft px-3 py-2 text-table text-warn">
          {overlap === "0" ? (
            "Until your receiver has the new secret, it will refuse every delivery. They are retried and none is lost."
          ) : (
            <>
              Each delivery carries both signatures until <Time value={end} mode="absolute" />. After that the
              old secret verifies nothing.
            </>
          )}
        </p>
        {failure && <ErrorPanel error={failure} />}
      </div>
    </Dialog>
  );
}
