"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Endpoint, EndpointWithSecret } from "#contract/webhook.ts";
import { subscribableEventTypes } from "#contract/webhook-words.ts";
import { ConfirmDialog } from "@/components/ui/dialog";
import { FormDialog } from "@/components/ui/form-dialog";
import { useToast } from "@/components/ui/toast";
import { EndpointForm, type EndpointValues } from "@/components/webhooks/endpoint-form";
import { RotateDialog } from "@/components/webhooks/rotate-dialog";
import { RotationNote } from "@/components/webhooks/rotation-note";
import { SecretDialog } from "@/components/webhooks/secret-dialog";
import { settled } from "@/lib/browser/settled";
import { endpointAddress } from "@/lib/webhooks/endpoint-address";
import { changeEndpoint, removeEndpoint, rotateSecret } from "../actions";
import { useEndpointChange } from "./use-endpoint-change";

export type EndpointDialog = "edit" | "rotate" | "disable" | "delete";

interface EndpointDialogsProps {
  open: EndpointDialog;
  endpoint: Endpoint;
  onClose: () => void;
}

/** What is asked before an endpoint is changed; a new secret follows in its own dialog, fetched with the question. */
export function EndpointDialogs({ open, endpoint, onClose }: EndpointDialogsProps) {
  const router = useRouter();
  const { toast } = useToast();
  const { busy, failure, change, renew } = useEndpointChange(endpoint.id);
  const [saving, setSaving] = useState(false);
  const [rotated, setRotated] = useState<EndpointWithSecret | null>(null);

  const edit = async ({ url, description, events }: EndpointValues) => {
    setSaving(true);
    const answer = await settled(
      changeEndpoint(endpoint.id, { url, events, description: description || null }),
    );
    setSaving(false);
    if (!answer.ok) return answer.error;
    onClose();
    toast({ title: "Endpoint changed" });
    renew();
    return null;
  };
  const disable = () =>
    change(changeEndpoint(endpoint.id, { status: "disabled" }), () => {
      onClose();
      toast({ title: "Disabled: new events wait" });
    });
  const remove = () =>
    change(removeEndpoint(endpoint.id), () => router.push("/webhooks/endpoints"), { gone: true });

  if (rotated)
    return (
      <SecretDialog
        secret={rotated.secret}
        name="new signing secret"
        envName="WEBHOOK_SECRET"
        note={<RotationNote until={rotated.previous_secret_expires_at} />}
        onDone={onClose}
      />
    );
  switch (open) {
    case "edit":
      return (
        <FormDialog open busy={saving} onClose={onClose} title="Edit endpoint">
          <EndpointForm
            initial={valuesOf(endpoint)}
            submitLabel="Save changes"
            submit={edit}
            onCancel={onClose}
          />
        </FormDialog>
      );
    case "rotate":
      return (
        <RotateDialog
          open
          busy={busy}
          failure={failure}
          onClose={onClose}
          onRotate={(overlapSeconds) => change(rotateSecret(endpoint.id, overlapSeconds), setRotated)}
        />
      );
    case "disable":
      return (
        <ConfirmDialog
          open
          onOpenChange={onClose}
          title="Disable this endpoint?"
          body="Nothing is sent to it until it is enabled again. Deliveries that are waiting wait on; none is lost."
          confirmLabel="Disable"
          busy={busy}
          failure={failure}
          onConfirm={disable}
        />
      );
    case "delete":
      return (
        <ConfirmDialog
          open
          onOpenChange={onClose}
          title="Delete this endpoint?"
          body={`${endpointAddress(endpoint.url)} gets nothing any more, waiting deliveries are canceled and its secret stops working. The log of past deliveries stays. This cannot be undone.`}
          confirmLabel="Delete endpoint"
          tone="bad"
          busy={busy}
          failure={failure}
          onConfirm={remove}
        />
      );
  }
}

function valuesOf(endpoint: Endpoint): EndpointValues {
  return {
    url: endpoint.url,
    description: endpoint.description ?? "",
    events: subscribableEventTypes.filter((event) => endpoint.events.includes(event)),
  };
}
