"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { BodyOf } from "#contract/routes/client.ts";
import type { Endpoint, EndpointWithSecret } from "#contract/webhook.ts";
import { ConfirmDialog } from "@/components/ui/dialog";
import { usePageRouter } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { EnableDialog } from "@/components/webhooks/endpoints/enable-dialog";
import { EndpointDialog } from "@/components/webhooks/endpoints/endpoint-dialog";
import { ResendDialog } from "@/components/webhooks/endpoints/resend-dialog";
import { RotateDialog } from "@/components/webhooks/secret/rotate-dialog";
import { SecretDialog } from "@/components/webhooks/secret/secret-dialog";
import { settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { rotateSecret } from "@/lib/gateway/secret-actions";
import { queryKeys } from "@/lib/query-keys";
import { endpointAddress } from "@/lib/webhooks/addresses";
import { changeOf, type EndpointValues, valuesOfEndpoint } from "@/lib/webhooks/endpoint-values";
import { enabledToast, useEndpointChange } from "./use-endpoint-change.ts";

export type EndpointQuestion = "edit" | "rotate" | "enable" | "pause" | "disable" | "resend" | "delete";

interface EndpointDialogsProps {
  open: EndpointQuestion;
  endpoint: Endpoint;
  onClose: () => void;
}

/**
 * The dialogs that change an endpoint. They are loaded together with the dialog for a new secret, so that the
 * secret is shown without delay.
 */
export function EndpointDialogs({ open, endpoint, onClose }: EndpointDialogsProps) {
  const of = { params: { id: endpoint.id } };
  const router = usePageRouter();
  const { toast } = useToast();
  const queryClient = useQueryClient();
  const { busy, failure, change, renew } = useEndpointChange(endpoint.id);
  const [rotated, setRotated] = useState<EndpointWithSecret | null>(null);

  const edit = (values: EndpointValues) =>
    settle(act("PATCH /webhooks/endpoints/{id}", { ...of, body: changeOf(values) }), ({ warning }) => {
      onClose();
      toast({ title: "Endpoint updated", ...(warning && { description: warning.message }) });
      renew();
    });
  const set = (body: BodyOf<"PATCH /webhooks/endpoints/{id}">, done: (endpoint: Endpoint) => void) =>
    change(act("PATCH /webhooks/endpoints/{id}", { ...of, body }), done);
  const enable = (waiting: "send" | "drop") =>
    set({ status: "enabled", waiting }, (enabled) => {
      onClose();
      toast(enabledToast(enabled));
    });
  const disable = () =>
    set({ status: "disabled" }, () => {
      onClose();
      toast({ title: "Endpoint disabled: new events wait" });
    });
  const pause = () =>
    set({ status: "paused" }, () => {
      onClose();
      toast({ title: "Endpoint paused: events wait" });
    });
  const remove = () =>
    change(act("DELETE /webhooks/endpoints/{id}", of), () => router.push("/webhooks/endpoints"), {
      gone: true,
    });

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
        <EndpointDialog
          title="Edit endpoint"
          initial={valuesOfEndpoint(endpoint)}
          submitLabel="Save changes"
          save={edit}
          onClose={onClose}
        />
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
    case "enable":
      return (
        <EnableDialog
          endpoints={1}
          waiting={endpoint.waiting_deliveries ?? 0}
          busy={busy}
          failure={failure}
          onClose={onClose}
          onEnable={enable}
        />
      );
    case "resend":
      return (
        <ResendDialog
          endpoints={[endpoint]}
          onClose={onClose}
          onStarted={({ done }) => {
            queryClient.setQueryData(queryKeys.resend(endpoint.id), done[0]?.data);
            renew();
          }}
        />
      );
    case "pause":
      return (
        <ConfirmDialog
          open
          onOpenChange={onClose}
          title="Pause this endpoint?"
          body="Its deliveries and new events wait, but no longer than their retention time. When you resume the endpoint, they are sent, oldest first."
          confirmLabel="Pause"
          busy={busy}
          failure={failure}
          onConfirm={pause}
        />
      );
    case "disable":
      return (
        <ConfirmDialog
          open
          onOpenChange={onClose}
          title="Disable this endpoint?"
          body="The gateway sends nothing to this endpoint until you enable it again. Its deliveries and new events wait until then, but no longer than their retention time."
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
          body={`${endpointAddress(endpoint.url)} will receive no more events. Waiting deliveries are canceled and the signing secret stops working. Past deliveries stay in the log. This cannot be undone.`}
          confirmLabel="Delete endpoint"
          tone="bad"
          busy={busy}
          failure={failure}
          onConfirm={remove}
        />
      );
  }
}

/** How long the previous secret keeps working. */
function RotationNote({ until }: { until: string | null }) {
  if (until === null || Date.parse(until) <= Date.now()) {
    return <p>The old secret is no longer valid. Update your receiver with the new one now.</p>;
  }
  return (
    <p>
      The old secret stays valid until <Time value={until} mode="absolute" />. Update your receiver with the
      new one before then.
    </p>
  );
}
