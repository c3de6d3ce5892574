"use client";

import { useState } from "react";
import type { EndpointWithSecret } from "#contract/webhook.ts";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { answerOf } from "@/lib/browser/action-answer";
import { addEndpoint } from "@/lib/gateway/secret-actions";
import { creationOf, type EndpointValues } from "@/lib/webhooks/endpoint-values";
import { EndpointForm } from "./endpoint-form.tsx";

interface CreateEndpointDialogProps {
  open: boolean;
  onClose: () => void;
  onCreated: (endpoint: EndpointWithSecret) => void;
}

export function CreateEndpointDialog({ open, onClose, onCreated }: CreateEndpointDialogProps) {
  const [busy, setBusy] = useState(false);
  const submit = async (values: EndpointValues) => {
    setBusy(true);
    const answer = await answerOf(addEndpoint(creationOf(values)));
    setBusy(false);
    if (!answer.ok) return answer.error;
    onCreated(answer.data);
    return null;
  };
  return (
    <FormDialog
      open={open}
      busy={busy}
      onClose={onClose}
      title="Add endpoint"
      description="The signing secret is shown only once, after you add the endpoint."
    >
      <EndpointForm submitLabel="Add endpoint" submit={submit} onCancel={onClose} />
    </FormDialog>
  );
}
