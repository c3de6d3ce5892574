"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import type { GatewayFailure } from "@/lib/gateway/result";

interface RotateKeyDialogProps {
  name: string;
  busy: boolean;
  /** Why no new secret was made. */
  failure: GatewayFailure | null;
  onClose: () => void;
  onRotate: (graceSeconds: number) => void;
}

const graces = [
  { value: "86400", label: "24 hours", hint: "For a planned change." },
  { value: "3600", label: "1 hour", hint: "For a change that is ready to roll out." },
  { value: "604800", label: "7 days", hint: "For several programs updated one at a time." },
  { value: "0", label: "None", hint: "If the old key has leaked. It stops working within a second." },
] as const;

type Grace = (typeof graces)[number]["value"];

/** A new secret with the same name and limits; the old one stays valid for a grace period. */
export function RotateKeyDialog({ name, busy, failure, onClose, onRotate }: RotateKeyDialogProps) {
  const [grace, setGrace] = useState<Grace>("86400");
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title={`Rotate “${name}”?`}
      description="A new key with the same name and limits is created and shown only once. Have a safe place ready to store it."
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onRotate(Number(grace))}>
            Create new key
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <RadioGroup legend="Keep the old key valid for" options={graces} value={grace} onChange={setGrace} />
        {failure && <ErrorPanel error={failure} />}
      </div>
    </Dialog>
  );
}
