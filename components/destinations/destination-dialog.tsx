"use client";

import { useState } from "react";
import type { Destination } from "#contract/copies.ts";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { answerOf } from "@/lib/browser/action-answer";
import {
  changeOf,
  creationOf,
  type DestinationValues,
  emptyDestination,
  valuesOfDestination,
} from "@/lib/destinations/destination-values";
import { act } from "@/lib/gateway/act";
import { DestinationForm } from "./destination-form.tsx";

interface DestinationDialogProps {
  /** Null: create a new one. */
  destination: Destination | null;
  onClose: () => void;
  onSaved: (destination: Destination) => void;
}

/** The form of a destination; a new one is tested before it is saved. */
export function DestinationDialog({ destination, onClose, onSaved }: DestinationDialogProps) {
  const [busy, setBusy] = useState(false);
  const isNew = destination === null;
  const submit = async (values: DestinationValues) => {
    setBusy(true);
    const answer = await answerOf(
      isNew
        ? act("POST /destinations", { body: creationOf(values) })
        : act("PATCH /destinations/{id}", {
            params: { id: destination.id },
            body: changeOf(values, destination),
          }),
    );
    setBusy(false);
    if (!answer.ok) return answer.error;
    onSaved(answer.data);
    return null;
  };
  return (
    <FormDialog
      open
      busy={busy}
      onClose={onClose}
      title={isNew ? "Add destination" : "Edit destination"}
      description="A bucket of any S3 server that is reachable on the internet. The secret key is stored encrypted and never shown again."
    >
      <DestinationForm
        initial={isNew ? emptyDestination : valuesOfDestination(destination)}
        secretHint={isNew ? null : destination.secret_hint}
        submitLabel={isNew ? "Add destination" : "Save changes"}
        submit={submit}
        onCancel={onClose}
      />
    </FormDialog>
  );
}
