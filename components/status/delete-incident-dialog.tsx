"use client";

import type { Incident } from "#contract/status.ts";
import { Button } from "@/components/ui/button";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

interface DeleteIncidentDialogProps {
  incident: Incident;
  onRemoved: () => void;
  onClose: () => void;
}

export function DeleteIncidentDialog({ incident, onRemoved, onClose }: DeleteIncidentDialogProps) {
  const { busy, failure, send } = useSend();
  const submit = async () => {
    const remove = () => act("DELETE /operator/incidents/{id}", { params: { id: incident.id } });
    const answer = await send(() => answerOf(remove()));
    if (answer.ok) onRemoved();
  };
  return (
    <FormDialog open busy={busy} onClose={onClose} title="Delete the incident">
      <p className="mb-4 wrap-anywhere">
        “{incident.title}” is deleted with its updates, also from the history. If it is over, add an update
        with the status resolved instead.
      </p>
      {failure && <ErrorPanel error={failure} />}
      <FormActions>
        <Button onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button variant="danger" busy={busy} onClick={() => void submit()}>
          Delete
        </Button>
      </FormActions>
    </FormDialog>
  );
}
