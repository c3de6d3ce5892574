"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { BodyOf } from "#contract/routes/client.ts";
import type { Endpoint, EndpointWithSecret } from "#contract/webhook.ts";
import { useWords } from "#words";
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
  const t = useWords("webhooks");
  const of = { params: { id: endpoint.id } };
  const router = usePageRouter();
  const { toast } = useToast();
  const queryClient = useQueryClient();
  const { busy, failure, change, renew } = useEndpointChange(endpoint.id);
  const [rotated, setRotated] = useState<EndpointWithSecret | null>(null);

  const edit = (values: EndpointValues) =>
    settle(act("PATCH /webhooks/endpoints/{id}", { ...of, body: changeOf(values) }), ({ warning }) => {
      onClose();
      toast({ title: t("endpointUpdated"), ...(warning && { description: warning.message }) });
      renew();
    });
  const set = (body: BodyOf<"PATCH /webhooks/endpoints/{id}">, done: (endpoint: Endpoint) => void) =>
    change(act("PATCH /webhooks/endpoints/{id}", { ...of, body }), done);
  const enable = (waiting: "send" | "drop") =>
    set({ status: "enabled", waiting }, (enabled) => {
      onClose();
      toast(enabledToast(t, enabled));
    });
  const disable = () =>
    set({ status: "disabled" }, () => {
      onClose();
      toast({ title: t("endpointDisabledNewEventsWait") });
    });
  const pause = () =>
    set({ status: "paused" }, () => {
      onClose();
      toast({ title: t("endpointPausedEventsWait") });
    });
  const remove = () =>
    change(act("DELETE /webhooks/endpoints/{id}", of), () => router.push("/webhooks/endpoints"), {
      gone: true,
    });

  if (rotated)
    return (
      <SecretDialog
        secret={rotated.secret}
        name={t("newSigningSecret")}
        envName="WEBHOOK_SECRET"
        note={<RotationNote until={rotated.previous_secret_expires_at} />}
        onDone={onClose}
      />
    );
  switch (open) {
    case "edit":
      return (
        <EndpointDialog
          title={t("editEndpoint")}
          initial={valuesOfEndpoint(endpoint)}
          submitLabel={t("saveChanges")}
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
          title={t("pauseThisEndpoint")}
          body={t("itsDeliveriesAndNewEvents")}
          confirmLabel={t("pause2")}
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
          title={t("disableThisEndpoint")}
          body={t("theGatewaySendsNothingTo")}
          confirmLabel={t("disable2")}
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
          title={t("deleteThisEndpoint")}
          body={t("deletingEndpoint", { address: endpointAddress(endpoint.url) })}
          confirmLabel={t("deleteEndpoint")}
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
  const t = useWords("webhooks");
  if (until === null || Date.parse(until) <= Date.now()) {
    return <p>{t("theOldSecretIsNo")}</p>;
  }
  return (
    <p>
      {t.rich("oldSecretValidUntil", {}, { time: () => <Time key="time" value={until} mode="absolute" /> })}
    </p>
  );
}
