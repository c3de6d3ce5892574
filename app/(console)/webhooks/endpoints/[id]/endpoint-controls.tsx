"use client";

import { useQueryClient } from "@tanstack/react-query";
import { EllipsisVertical, Pencil, Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { type Endpoint, type EndpointWithSecret, subscribableEventTypes } from "#contract/webhook.ts";
import { Button, IconButton } from "@/components/ui/button";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { failureToast } from "@/components/ui/failure-toast";
import { Menu } from "@/components/ui/menu";
import { useToast } from "@/components/ui/toast";
import { EndpointForm, type EndpointValues } from "@/components/webhooks/endpoint-form";
import { RotateDialog } from "@/components/webhooks/rotate-dialog";
import { RotationNote } from "@/components/webhooks/rotation-note";
import { SecretDialog } from "@/components/webhooks/secret-dialog";
import { settled } from "@/lib/browser/settled";
import type { GatewayResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { endpointLook } from "@/lib/status/endpoint";
import { hostOf } from "@/lib/timeline/delivery-row";
import { changeEndpoint, removeEndpoint, rotateSecret, sendTestEvent } from "../actions";

type OpenDialog = "edit" | "rotate" | "disable" | "delete" | null;

/** Everything that can be done to one endpoint. */
export function EndpointControls({ endpoint }: { endpoint: Endpoint }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const [open, setOpen] = useState<OpenDialog>(null);
  const [busy, setBusy] = useState(false);
  const [rotated, setRotated] = useState<EndpointWithSecret | null>(null);
  const look = endpointLook(endpoint.status);
  const close = () => setOpen(null);

  const renew = () => {
    queryClient.invalidateQueries({ queryKey: queryKeys.endpoint(endpoint.id) });
    queryClient.invalidateQueries({ queryKey: queryKeys.deliveries() });
  };

  /** Runs one change; a failure is told, a success closes the dialog and renews what is shown. */
  const change = async <Data,>(
    call: Promise<GatewayResult<Data>>,
    done: (data: Data) => void,
    options: { gone?: boolean } = {},
  ) => {
    setBusy(true);
    const answer = await settled(call);
    setBusy(false);
    if (!answer.ok) return toast(failureToast(answer.error));
    close();
    done(answer.data);
    if (!options.gone) renew();
  };

  const test = () =>
    change(sendTestEvent(endpoint.id), (delivery) =>
      toast({
        title: "Queued: a test event",
        description: "It is sent to this endpoint only. No model runs.",
        action: { label: "Follow it", onClick: () => router.push(`/webhooks/deliveries/${delivery.id}`) },
      }),
    );
  const setStatus = (status: "enabled" | "disabled") =>
    change(changeEndpoint(endpoint.id, { status }), () =>
      toast({
        title: status === "enabled" ? "Enabled: what waited goes out now" : "Disabled: new events wait",
      }),
    );
  const edit = async ({ url, description, events }: EndpointValues) => {
    const answer = await changeEndpoint(endpoint.id, { url, events, description: description || null });
    if (!answer.ok) return answer.error;
    close();
    toast({ title: "Endpoint changed" });
    renew();
    return null;
  };

  return (
    <>
      <Button
        icon={<Send size={16} aria-hidden />}
        busy={busy && open === null}
        disabled={!look.canTest}
        title={look.canTest ? undefined : "Enable the endpoint first"}
        onClick={test}
      >
        Send test event
      </Button>
      <Button icon={<Pencil size={16} aria-hidden />} onClick={() => setOpen("edit")}>
        Edit
      </Button>
      {look.canEnable && (
        <Button variant="primary" busy={busy} onClick={() => setStatus("enabled")}>
          Enable
        </Button>
      )}
      <Menu
        label="More actions"
        trigger={<IconButton label="More actions" icon={<EllipsisVertical size={16} aria-hidden />} />}
        items={[
          { label: "Rotate secret…", onSelect: () => setOpen("rotate") },
          ...(look.canDisable ? [{ label: "Disable…", onSelect: () => setOpen("disable") }] : []),
          { label: "Delete…", tone: "bad" as const, onSelect: () => setOpen("delete") },
        ]}
      />

      <Dialog open={open === "edit"} onOpenChange={close} title="Edit endpoint">
        <EndpointForm
          initial={valuesOf(endpoint)}
          submitLabel="Save changes"
          submit={edit}
          onCancel={close}
        />
      </Dialog>
      <RotateDialog
        open={open === "rotate"}
        busy={busy}
        onClose={close}
        onRotate={(overlapSeconds) => change(rotateSecret(endpoint.id, overlapSeconds), setRotated)}
      />
      <ConfirmDialog
        open={open === "disable"}
        onOpenChange={close}
        title="Disable this endpoint?"
        body="Nothing is sent to it until it is enabled again. Deliveries that are waiting wait on; none is lost."
        confirmLabel="Disable"
        busy={busy}
        onConfirm={() => setStatus("disabled")}
      />
      <ConfirmDialog
        open={open === "delete"}
        onOpenChange={close}
        title="Delete this endpoint?"
        body={`${hostOf(endpoint.url)} gets nothing any more, waiting deliveries are canceled and its secret stops working. The log of past deliveries stays. This cannot be undone.`}
        confirmLabel="Delete endpoint"
        tone="bad"
        busy={busy}
        onConfirm={() =>
          change(removeEndpoint(endpoint.id), () => router.push("/webhooks/endpoints"), { gone: true })
        }
      />
      <SecretDialog
        secret={rotated?.secret ?? null}
        name="new signing secret"
        envName="WEBHOOK_SECRET"
        note={rotated && <RotationNote until={rotated.previous_secret_expires_at} />}
        onDone={() => setRotated(null)}
      />
    </>
  );
}

function valuesOf(endpoint: Endpoint): EndpointValues {
  return {
    url: endpoint.url,
    description: endpoint.description ?? "",
    events: subscribableEventTypes.filter((event) => endpoint.events.includes(event)),
  };
}
