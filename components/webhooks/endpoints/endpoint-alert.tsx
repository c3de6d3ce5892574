import { CirclePause, OctagonAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Endpoint } from "#contract/webhook.ts";
import { useWords } from "#words";
import { disabledReason } from "@/lib/webhooks/refusals";
import { betweenSentences } from "@/messages/marks";
import type { Words } from "@/messages/words";

interface EndpointAlertProps {
  endpoint: Endpoint;
  /** What its receiver answered last. Null if it did not fail, or the answer cannot be read. */
  failure: ReactNode;
}

/** Why an endpoint currently receives nothing or accepts nothing, and how to fix it. */
export function EndpointAlert({ endpoint, failure }: EndpointAlertProps) {
  const t = useWords("webhooks");
  if (endpoint.status === "enabled")
    return (
      failure && (
        <section
          aria-label={t("whyItFails")}
          className="mb-6 flex gap-3 rounded-panel border border-bad bg-bad-soft p-4"
        >
          <TriangleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
          {failure}
        </section>
      )
    );
  if (endpoint.status === "auto-disabled") {
    return (
      <div role="alert" className="mb-6 flex gap-3 rounded-panel border border-bad bg-bad-soft p-4">
        <OctagonAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
        <div className="min-w-0 text-base text-ink">
          {failure && <div className="mb-3">{failure}</div>}
          <p className="font-semibold">{t("fixTheReceiverThenEnable")}</p>
          <p>
            {t("gatewayDisabledThis", {
              reason: disabledReason(t, endpoint.disabled_reason),
              waiting: waitingText(t, endpoint),
            })}
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
          {endpoint.status === "paused" ? t("thisEndpointIsPaused") : t("thisEndpointIsDisabled")}
          {betweenSentences(t.language)}
          {endpoint.disabled_reason !== null && endpoint.disabled_reason !== "manual" && (
            <>
              {disabledReason(t, endpoint.disabled_reason)}
              {betweenSentences(t.language)}
            </>
          )}
          {t("newDeliveriesWait")}
          {betweenSentences(t.language)}
          {waitingText(t, endpoint)}
        </p>
      </div>
    );
  }
  return null;
}

function waitingText(t: Words<"webhooks">, { status, waiting_deliveries: waiting }: Endpoint): string {
  if (waiting === 0) return t("noDeliveriesAreWaiting");
  if (status === "paused") return t("resumeSends", { waiting: waiting ?? 0 });
  if (waiting === undefined) return t("enableSends");
  return t("enableSendsOrDrops", { waiting });
}
