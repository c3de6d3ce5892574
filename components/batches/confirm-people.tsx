"use client";

import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Checkbox } from "@/components/ui/form/checkbox";
import { gates } from "@/lib/attestations/gates";

interface ConfirmPeopleProps {
  /** Labels of the rows that the confirmation covers. */
  rows: readonly string[];
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Some operations need a confirmation for each run. Asks for it again before rows run again, because the
 * earlier confirmation covered only their first run.
 */
export function ConfirmPeople({ rows, busy, onConfirm, onClose }: ConfirmPeopleProps) {
  const t = useWords("batches");
  const attestations = useWords("attestations");
  const [isTicked, setTicked] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={attestations.text(gates.person_rights_confirmation_required.title)}
      description={attestations.text(gates.person_rights_confirmation_required.why)}
      size="sm"
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("cancel")}
          </Button>
          <Button variant="primary" busy={busy} disabled={!isTicked} onClick={onConfirm}>
            {t("run")}
          </Button>
        </>
      }
    >
      {rows.length > 0 && (
        <ul className="mb-3 list-disc space-y-1 pl-5">
          {rows.map((row) => (
            <li key={row}>{row}</li>
          ))}
        </ul>
      )}
      <Checkbox
        label={t("everyIdentifiablePersonInThe")}
        checked={isTicked}
        onChange={(event) => setTicked(event.target.checked)}
      />
    </Dialog>
  );
}
