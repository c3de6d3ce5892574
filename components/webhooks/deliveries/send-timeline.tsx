"use client";

import { CornerDownRight, Send } from "lucide-react";
import { useState } from "react";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { classNames } from "@/components/ui/class-names";
import { IdChip } from "@/components/ui/id-chip";
import { StatusPill } from "@/components/ui/status-pill";
import { Countdown, Time } from "@/components/ui/time";
import { formatDuration } from "@/lib/format";
import { deliveryLook } from "@/lib/status/delivery";
import { attemptTimeline, type TimelineStep } from "@/lib/webhooks/attempt-timeline";
import { AttemptItem } from "./attempt-item.tsx";

interface SendTimelineProps {
  send: Delivery | DeliveryDetail;
  isFirst: boolean;
  /** It sends again what was accepted before. */
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
  // Until the reader chooses, the last attempt of the delivery in question is open.
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
  /** Whether an attempt is unfolded. */
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
