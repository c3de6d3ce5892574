"use client";

import { ChevronRight, CircleAlert, CircleCheck } from "lucide-react";
import { classNames } from "@/components/ui/class-names";
import { Duration } from "@/components/ui/quantity";
import { Time } from "@/components/ui/time";
import type { TimelineStep } from "@/lib/webhooks/attempt-timeline";
import { errorLabel } from "@/lib/webhooks/error-labels";
import { errorRemedy } from "@/lib/webhooks/remedies";
import { AnswerChip } from "./answer-chip.tsx";
import { AttemptDetail } from "./attempt-detail.tsx";

interface AttemptItemProps {
  step: Extract<TimelineStep, { kind: "attempt" }>;
  /** The reader lacks an attestation to see what was sent. */
  isHidden: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

/** One attempt as a line that unfolds to what was sent and what came back. */
export function AttemptItem({ step, isHidden, isOpen, onToggle }: AttemptItemProps) {
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
