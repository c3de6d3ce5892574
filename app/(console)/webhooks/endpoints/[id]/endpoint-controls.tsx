"use client";

import { EllipsisVertical, Pencil, Send } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Endpoint } from "#contract/webhook.ts";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Button, IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { endpointLook } from "@/lib/status/endpoint";
import { changeEndpoint, sendTestEvent } from "../actions";
import { enabledToast } from "./enabled-toast";
import type { EndpointDialog } from "./endpoint-dialogs";
import { useEndpointChange } from "./use-endpoint-change";

const EndpointDialogs = dynamic(() => import("./endpoint-dialogs").then((module) => module.EndpointDialogs), {
  ssr: false,
});

/** Everything that can be done to one endpoint. */
export function EndpointControls({ endpoint }: { endpoint: Endpoint }) {
  const router = usePageRouter();
  const { toast } = useToast();
  const { may } = useAccess();
  const { busy, change } = useEndpointChange(endpoint.id, (failure) => {
    void failureToast(failure).then(toast);
  });
  const [open, setOpen] = useState<EndpointDialog | null>(null);
  const look = endpointLook(endpoint.status);

  const test = () =>
    change(sendTestEvent(endpoint.id), (delivery) =>
      toast({
        title: "Test event queued",
        description: "Sent to this endpoint only. No model runs.",
        action: { label: "Open delivery", onClick: () => router.push(`/webhooks/deliveries/${delivery.id}`) },
      }),
    );
  const enable = () =>
    endpoint.waiting_deliveries && endpoint.status !== "paused"
      ? setOpen("enable")
      : change(changeEndpoint(endpoint.id, { status: "enabled" }), (enabled) => toast(enabledToast(enabled)));
  const actions = [
    ...(may("deliveries:retry") && look.canTest
      ? [{ label: "Send events again…", onSelect: () => setOpen("resend") }]
      : []),
    ...(may("endpoints:manage")
      ? [
          { label: "Rotate secret…", onSelect: () => setOpen("rotate") },
          ...(look.canPause ? [{ label: "Pause…", onSelect: () => setOpen("pause") }] : []),
          ...(look.canDisable ? [{ label: "Disable…", onSelect: () => setOpen("disable") }] : []),
          { label: "Delete…", tone: "bad" as const, onSelect: () => setOpen("delete") },
        ]
      : []),
  ];

  return (
    <>
      <Permitted to="endpoints:test">
        <Button
          icon={<Send size={16} aria-hidden />}
          busy={busy}
          disabled={!look.canTest}
          title={look.canTest ? undefined : "Enable the endpoint first"}
          onClick={test}
        >
          Send test event
        </Button>
      </Permitted>
      <Permitted to="endpoints:manage">
        <Button icon={<Pencil size={16} aria-hidden />} onClick={() => setOpen("edit")}>
          Edit
        </Button>
      </Permitted>
      {look.canEnable && (
        <Permitted to="endpoints:manage">
          <Button variant="primary" busy={busy} onClick={enable}>
            {endpoint.status === "paused" ? "Resume" : endpoint.waiting_deliveries ? "Enable…" : "Enable"}
          </Button>
        </Permitted>
      )}
      {actions.length > 0 && (
        <Menu
          label="More actions"
          trigger={<IconButton label="More actions" icon={<EllipsisVertical size={16} aria-hidden />} />}
          items={actions}
        />
      )}

      {open && <EndpointDialogs open={open} endpoint={endpoint} onClose={() => setOpen(null)} />}
    </>
  );
}
