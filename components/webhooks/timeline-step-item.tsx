"use client";

import type { Delivery } from "#contract/webhook.ts";
import { Countdown, Time } from "@/components/ui/time";
import { formatDuration } from "@/lib/format";
import type { TimelineStep } from "@/lib/webhooks/attempt-timeline";
import { AttemptItem } from "./attempt-item.tsx";

interface TimelineStepItemProps {
  step: TimelineStep;
  send: Delivery;
  /** Whether an attempt is unfolded. */
  isOpen: boolean;
  onToggle: () => void;
}

export function TimelineStepItem({ step, send, isOpen, onToggle }: TimelineStepItemProps) {
  if (step.kind === "attempt") return <AttemptItem step={step} isOpen={isOpen} onToggle={onToggle} />;
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
