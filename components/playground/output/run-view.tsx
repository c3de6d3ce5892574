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
import dynamic from "next/dynamic";
import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import { useFormats, useWords } from "#words";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { CancelButton } from "@/components/predictions/cancel-button";
import { Permitted } from "@/components/team/permitted";
import { StatusPill } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { IdChip } from "@/components/ui/id-chip";
import { Progress } from "@/components/ui/progress";
import { useNow } from "@/components/ui/time";
import { type Run, tokensPerSecond } from "@/lib/browser/runs/run";
import { formatDuration } from "@/lib/format";
import { confirmationKey } from "@/lib/schema-form/draft";
import { predictionLook } from "@/lib/status/prediction";
import type { Tone } from "@/lib/status/status-look";
import { listText } from "@/lib/words/list-text";
import { usePlayground } from "../use-playground.ts";
import { FailureView } from "./failure-view.tsx";
import { useRunPrediction } from "./use-run-prediction.ts";

/** Players, grids and tables, loaded once there is an output. */
const RunOutputView = dynamic(() => import("./run-output-view.tsx").then((module) => module.RunOutputView), {
  ssr: false,
});

const looks = {
  running: { label: "running", tone: "busy", icon: LoaderCircle },
  succeeded: { label: "succeeded", tone: "good", icon: CircleCheck },
  failed: { label: "failed", tone: "bad", icon: CircleX },
  stopped: { label: "stopped", tone: "waiting", icon: CircleSlash },
} as const satisfies Record<Run["state"], { label: string; tone: Tone; icon: LucideIcon }>;

const secondsToMs = (seconds: number | null | undefined) => (seconds == null ? null : seconds * 1000);

/** A run: its head, its output, and its failure. */
export function RunView({ run }: { run: Run }) {
  const t = useWords("playground");
  const { model, running, again, reply, gate } = usePlayground();
  const prediction = useRunPrediction(run);
  const waits = run.state === "running" && run.output === null;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <RunHead run={run} prediction={prediction.prediction} />
      {waits && <Progress value={null} label={t("running")} />}
      {run.failure && (
        <FailureView run={run} busy={running} failure={run.failure} onAgain={again} onGate={gate.open} />
      )}
      {run.output && (
        <RunOutputView run={run} output={run.output} model={model} prediction={prediction} onReply={reply} />
      )}
      {run.state !== "running" && !run.output && !run.failure && <Gone run={run} />}
      <RunFacts run={run} />
    </div>
  );
}

interface RunHeadProps {
  run: Run;
  /** The prediction of an async run. Null until it has been read, and for other runs. */
  prediction: Prediction | null;
}

/** One row for every run: its state and duration, then its actions. */
function RunHead({ run, prediction }: RunHeadProps) {
  const t = useWords("playground");
  const states = useWords("states");
  const { running, stop, again, editInput } = usePlayground();
  const predictionId = run.output?.kind === "prediction" ? run.output.id : null;
  const look = predictionId
    ? predictionLook(states, prediction?.status ?? "starting")
    : { ...looks[run.state], label: t(looks[run.state].label) };
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
        <span className="tabular text-meta text-muted">{formatDuration(tookMs, t.language)}</span>
      )}
      {run.meta?.cost && !run.meta.sandbox && (
        <span className="tabular text-meta text-muted">{run.meta.cost}</span>
      )}
      {/* The output of a finished prediction has its own badge. */}
      {run.meta?.sandbox && (open || !predictionId) && <SandboxBadge />}
      <span className="ml-auto flex flex-wrap justify-end gap-1">
        {run.state === "running" && stop && (
          <Button size="sm" icon={<Square size={12} aria-hidden />} onClick={stop}>
            {t("stop")}
          </Button>
        )}
        {open && prediction && <CancelButton size="sm" prediction={prediction} />}
        {predictionId && (
          <LinkButton
            size="sm"
            variant="ghost"
            href={`/predictions/${predictionId}`}
            aria-label={t("openPrediction")}
            icon={<ArrowUpRight size={14} aria-hidden />}
          >
            {t("open")}
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
              <span className="max-phone:sr-only">{t("editInput")}</span>
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
                  <span className="max-phone:sr-only">{t("runAgain")}</span>
                </Button>
              </Permitted>
            )}
          </>
        )}
      </span>
    </header>
  );
}

interface RunningPillProps {
  look: { label: string; tone: Tone; icon: LucideIcon };
  sinceMs: number;
  progress: number | null;
}

const drawEveryMs = 200;
const shownMs = 100;

/** The state with the time elapsed so far. */
function RunningPill({ look, sinceMs, progress }: RunningPillProps) {
  const format = useFormats();
  const nowMs = useNow(drawEveryMs);
  const elapsedMs = Math.max(0, Math.floor((nowMs - sinceMs) / shownMs) * shownMs);
  const percent = progress ? ` ${format.percent(progress)}` : "";
  return (
    <span className="tabular">
      <StatusPill
        label={`${look.label}${percent} · ${format.duration(elapsedMs)}`}
        tone={look.tone}
        icon={look.icon}
      />
    </span>
  );
}

/** Shown for an earlier run when this browser did not store its output. */
function Gone({ run }: { run: Run }) {
  const t = useWords("playground");
  return (
    <p className="text-muted">
      {run.state === "stopped" ? t("youStoppedThisRunBefore") : t("theOutputWasNotSaved")}
    </p>
  );
}

/** Facts about a run in addition to its output: speed, region, id, and ignored parameters. */
function RunFacts({ run }: { run: Run }) {
  const t = useWords("playground");
  const { meta, output, firstTokenMs } = run;
  const speed = tokensPerSecond(run);
  const timing = [
    firstTokenMs !== null && t("firstToken", { time: formatDuration(firstTokenMs, t.language) }),
    speed !== null && t("tokensPerSecond", { speed: speed.toFixed(speed < 10 ? 1 : 0) }),
  ].filter(Boolean);
  const id = output?.kind === "prediction" ? output.id : meta?.requestId;
  return (
    <footer className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-meta text-muted">
      {timing.length > 0 && <span className="tabular">{timing.join(" · ")}</span>}
      {meta?.region && <span>{meta.region}</span>}
      {id && <IdChip id={id} href={output?.kind === "prediction" ? `/predictions/${id}` : undefined} />}
      {meta && meta.ignoredParams.length > 0 && (
        <p className="basis-full text-warn">
          {t("notPassedToTheModel", { names: listText(t.language, meta.ignoredParams, "plain") })}
        </p>
      )}
      {meta?.replayed && <p className="basis-full">{t("thisRequestHadAlreadyBeen")}</p>}
    </footer>
  );
}
