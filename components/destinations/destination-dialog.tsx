"use client";

import { useState } from "react";
import type {
  Destination,
  DestinationCreate,
  DestinationTest,
  DestinationTry,
  DestinationUpdate,
} from "#contract/copies.ts";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { answerOf } from "@/lib/browser/action-answer";
import {
  changeOf,
  creationOf,
  type DestinationValues,
  emptyDestination,
  valuesOfDestination,
} from "@/lib/destinations/destination-values";
import type { ActionResult } from "@/lib/gateway/result";
import { DestinationForm } from "./destination-form.tsx";

type DestinationDialogProps = {
  onClose: () => void;
  onSaved: (destination: Destination) => void;
} & (
  | {
      save: (body: DestinationCreate) => ActionResult<Destination>;
      test: (body: DestinationTry) => ActionResult<DestinationTest>;
    }
  | {
      destination: Destination;
      change: (id: string, body: DestinationUpdate) => ActionResult<Destination>;
    }
);

/** The form of a destination; a new one is tested before it is saved. */
export function DestinationDialog({ onClose, onSaved, ...rest }: DestinationDialogProps) {
  const [busy, setBusy] = useState(false);
  const isNew = "save" in rest;
  const submit = async (values: DestinationValues) => {
    setBusy(true);
    const answer = await answerOf(
      isNew
        ? rest.save(creationOf(values))
        : rest.change(rest.destination.id, changeOf(values, rest.destination)),
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
        initial={isNew ? emptyDestination : valuesOfDestination(rest.destination)}
        secretHint={isNew ? null : rest.destination.secret_hint}
        submitLabel={isNew ? "Add destination" : "Save changes"}
        submit={submit}
        test={isNew ? rest.test : null}
        onCancel={onClose}
      />
    </FormDialog>
  );
}
