import { CirclePause, OctagonAlert } from "lucide-react";
import type { Endpoint } from "#contract/webhook.ts";
import { formatCount } from "@/lib/format";
import { disabledReason } from "@/lib/webhooks/refusals";

/** Why an endpoint currently receives nothing, and how to fix it. */
export function EndpointAlert({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.status === "auto-disabled") {
    return (
      <div role="alert" className="mb-6 flex gap-3 rounded-panel border border-bad bg-bad-soft p-4">
        <OctagonAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
        <div className="text-base text-ink">
          <p className="font-semibold">Fix the receiver, then enable the endpoint</p>
          <p>
            {disabledReason(endpoint.disabled_reason)} The gateway disabled this endpoint after too many
            failures. Check the last attempts below and fix the receiver. Then choose Enable and send a test
            event. {waitingText(endpoint)} You can retry dead letters from the delivery log.
          </p>
        </div>
      </div>
    );
  }
  if (endpoint.status === "disabled" || endpoint.status === "paused") {
    return (
      <div className="mb-6 flex gap-3 rounded-panel border bg-sunken p-4">
        <CirclePause size={18} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <p className="text-base text-ink">
          {endpoint.status === "paused" ? "This endpoint is paused." : "This endpoint is disabled."}{" "}
          {endpoint.disabled_reason !== null && endpoint.disabled_reason !== "manual" && (
            <>{disabledReason(endpoint.disabled_reason)} </>
          )}
          New deliveries wait. {waitingText(endpoint)}
        </p>
      </div>
    );
  }
  return null;
}

function waitingText({ status, waiting_deliveries: waiting }: Endpoint): string {
  if (waiting === 0) return "No deliveries are waiting.";
  if (status === "paused")
    return `${formatCount(waiting ?? 0, "delivery waits", "deliveries wait")}. When you choose Resume, they are sent.`;
  if (waiting === undefined) return "When you choose Enable, they are sent.";
  return `${formatCount(waiting, "delivery waits", "deliveries wait")}. When you choose Enable, you can send or drop them.`;
}
