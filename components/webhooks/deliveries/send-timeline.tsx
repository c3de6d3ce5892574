"use client";

import { ChevronRight, CircleAlert, CircleCheck, CornerDownRight, Send } from "lucide-react";
import { useState } from "react";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { type DeliveryErrorCode, isDeliveryError } from "#contract/webhook-constants.ts";
import { classNames } from "@/components/ui/class-names";
import { IdChip } from "@/components/ui/id-chip";
import { Duration } from "@/components/ui/quantity";
import { StatusPill } from "@/components/ui/status-pill";
import { Countdown, Time } from "@/components/ui/time";
import { formatDuration } from "@/lib/format";
import { deliveryLook } from "@/lib/status/delivery";
import { attemptTimeline, type TimelineStep } from "@/lib/webhooks/attempt-timeline";
import { errorLabel } from "@/lib/webhooks/error-labels";
import { AnswerChip } from "./answer-chip.tsx";
import { AttemptDetail } from "./attempt-detail.tsx";

interface SendTimelineProps {
  send: Delivery | DeliveryDetail;
  isFirst: boolean;
  /** It sends a delivered event again. */
  isResend?: boolean;
  /** The delivery that the page is about. */
  isShown: boolean;
}

const triggerTitles: Record<string, string> = {
  automatic: "First delivery",
  manual: "Manual retry",
  bulk: "Bulk retry",
  test: "Test",
};

/** One delivery of the event: its attempts, the waits between them and the next attempt. */
export function SendTimeline({ send, isFirst, isResend = false, isShown }: SendTimelineProps) {
  const look = deliveryLook(send.status);
  const steps = attemptTimeline(send, "attempt_log" in send ? send.attempt_log : []);
  const lastAttempt = steps.findLast((step) => step.kind === "attempt");
  // At first the last attempt of this page's delivery is open.
  const [opened, setOpened] = useState<Record<string, boolean>>({});
  const isOpen = (key: string) => opened[key] ?? (isShown && key === lastAttempt?.key);
  const Icon = isFirst ? Send : CornerDownRight;
  return (
    <li
      aria-current={isShown ? "true" : undefined}
      className={classNames("rounded-panel border bg-panel p-4", isShown && "border-accent")}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon size={16} aria-hidden className="text-muted" />
        <h3 className="text-base font-semibold">
          {isResend ? "Sent again" : (triggerTitles[send.trigger] ?? "Delivery")}
        </h3>
        <StatusPill {...look} title={look.meaning} />
        <span className="tabular text-table text-muted">
          {send.attempts} of {send.max_attempts} attempts
        </span>
        <span className="text-table text-muted">
          <Time value={send.created_at} mode="absolute" />
        </span>
        {!isShown && <IdChip id={send.id} href={`/webhooks/deliveries/${send.id}`} />}
      </div>
      {steps.length > 0 && (
        <ol className="mt-3 ml-2 border-l pl-4">
          {steps.map((step) => (
            <TimelineStepItem
              key={step.key}
              step={step}
              send={send}
              isOpen={isOpen(step.key)}
              onToggle={() => setOpened({ ...opened, [step.key]: !isOpen(step.key) })}
            />
          ))}
        </ol>
      )}
    </li>
  );
}

interface TimelineStepItemProps {
  step: TimelineStep;
  send: Delivery;
  /** Whether an attempt is open. */
  isOpen: boolean;
  onToggle: () => void;
}

function TimelineStepItem({ step, send, isOpen, onToggle }: TimelineStepItemProps) {
  if (step.kind === "attempt")
    return (
      <AttemptItem
        step={step}
        isHidden={"gated" in send && Boolean(send.gated)}
        isOpen={isOpen}
        onToggle={onToggle}
      />
    );
  return (
    <li className="relative py-1.5 text-table text-muted">
      <span aria-hidden className="absolute top-1/2 -left-4 w-2.5 border-t" />
      {step.kind === "wait" && <>waits {formatDuration(step.ms)}</>}
      {step.kind === "next" && (
        <>
          <span className="text-ink">
            Attempt {step.number} in <Countdown until={step.at} ended="a moment" />
          </span>
          , at <Time value={step.at} mode="absolute" />
        </>
      )}
      {step.kind === "ended" && endText(step.status, send)}
    </li>
  );
}

type EndStatus = Extract<TimelineStep, { kind: "ended" }>["status"];

function endText(status: EndStatus, send: Delivery): string {
  if (status === "delivered") return "Accepted. No further attempts.";
  if (status === "canceled") return "The endpoint was deleted. No further attempts.";
  if (status === "superseded") return "Retried. This delivery has no further attempts.";
  return `All ${send.max_attempts} attempts failed. No further attempts.`;
}

interface AttemptItemProps {
  step: Extract<TimelineStep, { kind: "attempt" }>;
  /** The reader needs an attestation to see the request. */
  isHidden: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

/** An attempt as a line that opens to its request and response. */
function AttemptItem({ step, isHidden, isOpen, onToggle }: AttemptItemProps) {
  const { attempt, succeeded } = step;
  const fix = attempt.error_code === null ? null : errorRemedy(attempt.error_code);
  return (
    <li className="relative py-1">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="-ml-1.5 flex w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-1.5 py-1 text-left hover:bg-sunken"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={classNames("text-muted transition-transform duration-150", isOpen && "rotate-90")}
        />
        {succeeded ? (
          <CircleCheck size={16} aria-hidden className="text-good" />
        ) : (
          <CircleAlert size={16} aria-hidden className="text-bad" />
        )}
        <span className="font-medium">Attempt {attempt.number}</span>
        <AnswerChip status={attempt.response_status} error={attempt.error_code} />
        <Duration ms={attempt.duration_ms} />
        <span className="text-table text-muted">
          <Time value={attempt.started_at} mode="absolute" />
        </span>
      </button>
      {isOpen && (
        <div className="mt-2 mb-3 space-y-4 pl-1">
          {attempt.error_code !== null && (
            <p className="text-base text-ink wrap-anywhere">
              {fix ?? errorLabel(attempt.error_code)}
              <span className="block text-table text-muted">
                {attempt.error_detail} <code className="text-meta">{attempt.error_code}</code>
              </span>
            </p>
          )}
          <AttemptDetail attempt={attempt} isHidden={isHidden} />
        </div>
      )}
    </li>
  );
}

/** How to fix each `error_code` of an attempt. */
const remedies: Record<DeliveryErrorCode, string> = {
  blocked_address: "The host name resolves to a private or reserved address. Point it to a public address.",
  dns_error: "Check the host name in the endpoint's URL and its DNS records.",
  connect_refused: "Nothing listens at this address and port. Start the receiver or open its firewall.",
  connect_timeout: "The host does not respond. Check that it runs and that no firewall drops the connection.",
  connection_reset:
    "The receiver, or a proxy in front of it, closed the connection before it responded. Check its log.",
  tls_error: "Check the certificate: it may be expired, have the wrong name or an incomplete chain.",
  timeout: "Respond faster: store the event, send 2xx, and process the event afterwards.",
  http_3xx: "Redirects are not followed. Change the expirypoint's URL to the final address.",
  http_4xx: "The receiver rejected the request. See the response for the reason.",
  http_5xx: "See the response and the receiver's log.",
  invalid_response: "The receiver's response was not valid HTTP. Check that the URL points to a web server.",
  interrupted: "The gateway stopped during this attempt. It will try again, and this attempt is not counted.",
  stale_connection:
    "No action needed: the request was repeated immediately. Your receiver may have received it twice, so deduplicate by event id.",
  payload_expired:
    "The content was removed after its retention time, before the event could be delivered. Fetch the prediction instead.",
};

/** How to fix an attempt's error; null for an unknown code. */
function errorRemedy(code: string): string | null {
  return isDeliveryError(code) ? remedies[code] : null;
}
