"use client";

import dynamic from "next/dynamic";
import { IdChip } from "@/components/ui/id-chip";
import { Progress } from "@/components/ui/progress";
import { type Run, tokensPerSecond } from "@/lib/browser/runs/run";
import { formatDuration } from "@/lib/format";
import { usePlayground } from "../use-playground";
import { FailureView } from "./failure-view";
import { RunHead } from "./run-head";
import { useRunPrediction } from "./use-run-prediction";

/** Players, grids and tables, loaded once there is an output. */
const RunOutputView = dynamic(() => import("./run-output-view").then((module) => module.RunOutputView), {
  ssr: false,
});

/** A run: its head, its output, and its failure. */
export function RunView({ run }: { run: Run }) {
  const { model, running, again, reply, gate } = usePlayground();
  const prediction = useRunPrediction(run);
  const waits = run.state === "running" && run.output === null;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <RunHead run={run} prediction={prediction.prediction} />
      {waits && <Progress value={null} label="Running" />}
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

/** Shown for an earlier run when this browser did not store its output. */
function Gone({ run }: { run: Run }) {
  return (
    <p className="text-muted">
      {run.state === "stopped"
        ? "You stopped this run before any output arrived."
        : "The output was not saved in this browser. Choose “Edit input”, then run again to get a new output."}
    </p>
  );
}

/** Facts about a run in addition to its output: speed, region, id, and ignored parameters. */
function RunFacts({ run }: { run: Run }) {
  const { meta, output, firstTokenMs } = run;
  const speed = tokensPerSecond(run);
  const timing = [
    firstTokenMs !== null && `first token ${formatDuration(firstTokenMs)}`,
    speed !== null && `${speed.toFixed(speed < 10 ? 1 : 0)} tokens/s`,
  ].filter(Boolean);
  const id = output?.kind === "prediction" ? output.id : meta?.requestId;
  return (
    <footer className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-meta text-muted">
      {timing.length > 0 && <span className="tabular">{timing.join(" · ")}</span>}
      {meta?.region && <span>{meta.region}</span>}
      {id && <IdChip id={id} href={output?.kind === "prediction" ? `/predictions/${id}` : undefined} />}
      {meta && meta.ignoredParams.length > 0 && (
        <p className="basis-full text-warn">Not passed to the model: {meta.ignoredParams.join(", ")}.</p>
      )}
      {meta?.replayed && (
        <p className="basis-full">This request had already been sent, so it was not run twice.</p>
      )}
    </footer>
  );
}
