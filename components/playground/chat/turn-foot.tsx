"use client";

import { ChevronLeft, ChevronRight, PenLine, RotateCw } from "lucide-react";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { useAccess } from "@/components/team/access";
import { IconButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { formatDuration, formatNumber } from "@/lib/format";
import { textOfMessage } from "@/lib/schema-form/messages";
import type { TurnProps } from "./turn";

/** Below a message: which branch it is, how it came about, and what can be done with it. */
export function TurnFoot(props: TurnProps & { onEdit: () => void }) {
  const { at, message, facts, busy, isAlone, actions, onEdit } = props;
  const { may } = useAccess();
  const isAnswer = message.role === "assistant";
  const text = textOfMessage(message);
  const mayAsk = may("operations:run");
  return (
    <div className="mt-1 flex min-h-7 min-w-0 flex-wrap items-center gap-x-1 gap-y-0.5 text-meta text-muted">
      <Branch {...props} />
      {text && <CopyButton value={text} label={isAnswer ? "Copy answer" : "Copy message"} />}
      {(isAnswer || (message.role === "user" && mayAsk)) && (
        <IconButton
          size="sm"
          label={isAnswer ? "Edit answer" : "Edit message"}
          icon={<PenLine size={14} aria-hidden />}
          disabled={busy}
          onClick={onEdit}
        />
      )}
      {isAnswer && mayAsk && at > 0 && (
        <IconButton
          size="sm"
          label="Answer again"
          icon={<RotateCw size={14} aria-hidden />}
          disabled={busy}
          onClick={() => actions.again(at)}
        />
      )}
      {facts?.ended && (
        <span className="font-medium text-warn">
          {facts.ended === "stopped" ? "You stopped this answer." : "This answer was interrupted."} It is
          incomplete.
        </span>
      )}
      {facts && (
        <span className="tabular ml-1 flex flex-wrap items-center gap-x-2">
          {isAlone && <span className="font-mono">{facts.model}</span>}
          {factWords(facts).map((word) => (
            <span key={word}>{word}</span>
          ))}
          {facts.sandbox && <SandboxBadge />}
        </span>
      )}
    </div>
  );
}

function factWords(facts: NonNullable<TurnProps["facts"]>): string[] {
  const { total_ms: ms, input_tokens: read, output_tokens: written, finish_reason: reason, cost } = facts;
  return [
    ms !== undefined && formatDuration(ms),
    read !== undefined && written !== undefined && `${formatNumber(read)} in, ${formatNumber(written)} out`,
    reason !== undefined && reason !== "tool_calls" && `ended by ${reason}`,
    cost,
  ].filter((word) => typeof word === "string");
}

function Branch({ forks, chosen, at, busy, actions }: TurnProps) {
  if (forks.length < 2 && chosen !== -1) return null;
  // A message that was written in the form is in no branch before it is sent.
  const number = chosen === -1 ? forks.length : chosen;
  const count = chosen === -1 ? forks.length + 1 : forks.length;
  if (count < 2) return null;
  const step = (by: number) => {
    const place = forks[number + by];
    if (place !== undefined) actions.show(place);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
    <div role="group" aria-label={`Branches of message ${at + 1}`} className="flex items-center">
      <IconButton
        size="sm"
        label="Earlier branch"
        icon={<ChevronLeft size={14} aria-hidden />}
        aria-disabled={busy || number === 0}
        onClick={() => !busy && step(-1)}
      />
      <span className="tabular">
        {number + 1} of {count}
      </span>
      <IconButton
        size="sm"
        label="Later branch"
        icon={<ChevronRight size={14} aria-hidden />}
        aria-disabled={busy || number >= count - 1}
        onClick={() => !busy && step(1)}
      />
    </div>
  );
}
