"use client";

import {
  ArrowUpRight,
  CircleCheck,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  PenLine,
  RotateCw,
  Square,
} from "lucide-react";
import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { CancelButton } from "@/components/predictions/cancel-button";
import { Permitted } from "@/components/team/permitted";
import { Button, LinkButton } from "@/components/ui/button";
import { StatusPill, type Tone } from "@/components/ui/status-pill";
import { useNow } from "@/components/ui/use-now";
import type { Run } from "@/lib/browser/runs/run";
import { formatDuration } from "@/lib/format";
import { confirmationKey } from "@/lib/schema-form/draft";
import { predictionLook } from "@/lib/status/prediction";
import { usePlayground } from "../use-playground";

const looks: Record<Run["state"], { label: string; tone: Tone; icon: LucideIcon }> = {
  running: { label: "Running", tone: "busy", icon: LoaderCircle },
  succeeded: { label: "Succeeded", tone: "good", icon: CircleCheck },
  failed: { label: "Failed", tone: "bad", icon: CircleX },
  stopped: { label: "Stopped", tone: "waiting", icon: CircleSlash },
};

interface RunHeadProps {
  run: Run;
  /** The prediction of an async run. Null until it has been read, and for other runs. */
  prediction: Prediction | null;
}

/** One row for every run: its state and duration, then its actions. */
export function RunHead({ run, prediction }: RunHeadProps) {
  const { running, stop, again, editInput } = usePlayground();
  const predictionId = run.output?.kind === "prediction" ? run.output.id : null;
  const look = predictionId ? predictionLook(prediction?.status ?? "starting") : looks[run.state];
  const open = predictionId ? prediction === null || !isTerminal(prediction.status) : run.state === "running";
  const tookMs = predictionId ? secondsToMs(prediction?.metrics.total_time) : run.totalMs;
  const hasInput = Object.keys(run.body).length > 0;
  // The confirmation covered that run only, so the user confirms the next one in the form.
  const needsConfirmation = confirmationKey in run.body;
  return (
    <header className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1.5">
      {open ? (
        <RunningPill look={look} sinceMs={run.startedAtMs} progress={prediction?.progress ?? null} />
      ) : (
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} />
      )}
      {!open && tookMs !== null && (
        <span className="tabular text-meta text-muted">{formatDuration(tookMs)}</span>
      )}
      {run.meta?.cost && !run.meta.sandbox && (
        <span className="tabular text-meta text-muted">{run.meta.cost}</span>
      )}
      {/* The output of a finished prediction has its own badge. */}
      {run.meta?.sandbox && (open || !predictionId) && <SandboxBadge />}
      <span className="ml-auto flex flex-wrap justify-end gap-1">
        {run.state === "running" && stop && (
          <Button size="sm" icon={<Square size={12} aria-hidden />} onClick={stop}>
            Stop
          </Button>
        )}
        {open && prediction && <CancelButton size="sm" prediction={prediction} />}
        {predictionId && (
          <LinkButton
            size="sm"
            variant="ghost"
            href={`/predictions/${predictionId}`}
            aria-label="Open prediction"
            icon={<ArrowUpRight size={14} aria-hidden />}
          >
            Open
          </LinkButton>
        )}
        {!open && hasInput && (
          <>
            <Button
              size="sm"
              variant="ghost"
              icon={<PenLine size={14} aria-hidden />}
              onClick={() => editInput(run)}
            >
              <span className="max-phone:sr-only">Edit input</span>
            </Button>
            {!needsConfirmation && (
              <Permitted to="operations:run">
                <Button
                  size="sm"
                  variant="ghost"
                  icon={<RotateCw size={14} aria-hidden />}
                  disabled={running}
                  onClick={() => again(run)}
                >
                  <span className="max-phone:sr-only">Run again</span>
                </Button>
              </Permitted>
            )}
          </>
        )}
      </span>
    </header>
  );
}

const drawEveryMs = 200;
const shownMs = 100;

interface RunningPillProps {
  look: { label: string; tone: Tone; icon: LucideIcon };
  sinceMs: number;
  progress: number | null;
}

/** The state with the time elapsed so far. */
function RunningPill({ look, sinceMs, progress }: RunningPillProps) {
  const nowMs = useNow(drawEveryMs);
  const elapsedMs = Math.max(0, Math.floor((nowMs - sinceMs) / shownMs) * shownMs);
  const percent = progress ? ` ${progress} %` : "";
  return (
    <span className="tabular">
      <StatusPill
        label={`${look.label}${percent} · ${formatDuration(elapsedMs)}`}
        tone={look.tone}
        icon={look.icon}
      />
    </span>
  );
}

const secondsToMs = (seconds: number | null | undefined) => (seconds == null ? null : seconds * 1000);
