import { CirclePause, OctagonAlert } from "lucide-react";
import type { Endpoint } from "#contract/webhook.ts";
import { disabledReason } from "@/lib/webhooks/disabled-reason";

/** Why an endpoint gets nothing just now, and how to mend it. */
export function EndpointAlert({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.status === "auto-disabled") {
    return (
      <div role="alert" className="mb-6 flex gap-3 rounded-panel border border-bad bg-bad-soft p-4">
        <OctagonAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
        <div className="text-base text-ink">
          <p className="font-semibold">Mend the receiver, then enable the endpoint</p>
          <p>
            {disabledReason(endpoint.disabled_reason)} The gateway stopped sending by itself. Look at the last
            attempts below, mend what they show, press Enable and send a test event. What waits is sent then;
            dead letters can be sent again from the delivery log.
          </p>
        </div>
      </div>
    );
  }
  if (endpoint.status === "disabled") {
    return (
      <div className="mb-6 flex gap-3 rounded-panel border bg-sunken p-4">
        <CirclePause size={18} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <p className="text-base text-ink">
          This endpoint is disabled: its deliveries wait. Press Enable and they go out.
        </p>
      </div>
    );
  }
  return null;
}
