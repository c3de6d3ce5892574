"use client";

import {
  CircleCheck,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  PenLine,
  RotateCw,
} from "lucide-react";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { Button } from "@/components/ui/button";
import { IdChip } from "@/components/ui/id-chip";
import { StatusPill, type Tone } from "@/components/ui/status-pill";
import { type Run, tokensPerSecond } from "@/lib/browser/runs/run";
import { formatDuration } from "@/lib/format";
import { confirmationKey } from "@/lib/schema-form/draft";

const looks: Record<Run["state"], { label: string; tone: Tone; icon: LucideIcon }> = {
  running: { label: "Running", tone: "busy", icon: LoaderCircle },
  succeeded: { label: "Succeeded", tone: "good", icon: CircleCheck },
  failed: { label: "Failed", tone: "bad", icon: CircleX },
  stopped: { label: "Stopped", tone: "waiting", icon: CircleSlash },
};

interface RunHeadProps {
  run: Run;
  busy: boolean;
  onAgain: (run: Run) => void;
  onTweak: (run: Run) => void;
}

/** State, timing and identity of the run. */
export function RunHead({ run, busy, onAgain, onTweak }: RunHeadProps) {
  // A prediction tells its own state, below.
  const queued = run.output?.kind === "prediction";
  const hasInput = Object.keys(run.body).length > 0;
  // Confirmed for that one run: the next is confirmed in the form.
  const asksAnew = confirmationKey in run.body;
  return (
    <header className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
      {!queued && <StatusPill {...looks[run.state]} />}
      {run.meta?.sandbox && <SandboxBadge />}
      <Timing run={run} />
      {run.meta?.region && <span className="text-meta text-muted">{run.meta.region}</span>}
      {run.meta?.requestId && <IdChip id={run.meta.requestId} />}
      {run.state !== "running" && hasInput && (
        <span className="ml-auto flex gap-1">
          <Button
            size="sm"
            variant="ghost"
            icon={<PenLine size={14} aria-hidden />}
            onClick={() => onTweak(run)}
          >
            Edit input
          </Button>
          {!asksAnew && (
            <Button
              size="sm"
              variant="ghost"
              icon={<RotateCw size={14} aria-hidden />}
              disabled={busy}
              onClick={() => onAgain(run)}
            >
              Run again
            </Button>
          )}
        </span>
      )}
      {run.meta && run.meta.ignoredParams.length > 0 && (
        <p className="basis-full text-meta text-warn">
          Not passed to the model: {run.meta.ignoredParams.join(", ")}.
        </p>
      )}
      {run.meta?.replayed && (
        <p className="basis-full text-meta text-muted">
          This request had already been sent, so it was not run twice.
        </p>
      )}
    </header>
  );
}

function Timing({ run }: { run: Run }) {
  const speed = tokensPerSecond(run);
  const facts = [
    run.firstTokenMs !== null && `first token ${formatDuration(run.firstTokenMs)}`,
    speed !== null && `${speed.toFixed(speed < 10 ? 1 : 0)} tokens/s`,
    run.totalMs !== null && run.output?.kind !== "prediction" && formatDuration(run.totalMs),
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return <span className="tabular text-meta text-muted">{facts.join(" · ")}</span>;
}
