"use client";

import { Play } from "lucide-react";
import dynamic from "next/dynamic";
import type { CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import type { AttestationCode } from "@/lib/attestations/gates";
import type { Run } from "@/lib/browser/runs/run";
import { FailureView } from "./failure-view";
import { RunHead } from "./run-head";
import { Waiting } from "./waiting";

/** Players, grids and tables: needed once there is something to show. */
const RunOutputView = dynamic(() => import("./run-output-view").then((module) => module.RunOutputView), {
  ssr: false,
});

interface OutputTabProps {
  model: CatalogModel;
  operation: CatalogOperation;
  run: Run | null;
  onStop: (() => void) | null;
  onAgain: (run: Run, key?: string) => void;
  onTweak: (run: Run) => void;
  onGate: (code: AttestationCode) => void;
}

/** The run that is shown: its head, what it made, and what went wrong. */
export function OutputTabContent({
  model,
  operation,
  run,
  onStop,
  onAgain,
  onTweak,
  onGate,
}: OutputTabProps) {
  if (!run)
    return (
      <div className="grid min-h-56 place-items-center rounded-panel border border-dashed p-6 text-center">
        <div>
          <Play size={20} aria-hidden className="mx-auto mb-2 text-muted" />
          <p className="text-muted">Press Run: the {noun(operation)} appears here.</p>
        </div>
      </div>
    );
  const waits = run.state === "running" && run.output === null;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <RunHead run={run} onAgain={onAgain} onTweak={onTweak} />
      {/* One polite line for screen readers; the output itself would be read piece by piece. */}
      <p role="status" className="sr-only">
        {announcement(run)}
      </p>
      {waits && <Waiting run={run} onStop={onStop} />}
      {run.failure && <FailureView run={run} failure={run.failure} onAgain={onAgain} onGate={onGate} />}
      {run.output && <RunOutputView run={run} output={run.output} model={model} />}
      {run.state !== "running" && !run.output && !run.failure && <Gone run={run} />}
    </div>
  );
}

/** What a past run of this browser no longer has. */
function Gone({ run }: { run: Run }) {
  return (
    <p className="text-muted">
      {run.state === "stopped"
        ? "You stopped it before anything came back."
        : "Its output was not kept in this browser. Use “Edit input” and run again to get a new one."}
    </p>
  );
}

function announcement(run: Run): string {
  if (run.state === "running") return run.output ? "The answer is being written." : "Running.";
  if (run.state === "stopped") return "Stopped. What arrived is kept.";
  if (run.state === "failed") return "The run failed.";
  return run.output?.kind === "prediction" ? "Queued." : "The run is complete.";
}

function noun({ api_type: apiType }: CatalogOperation): string {
  switch (apiType) {
    case "chat-completions":
      return "answer";
    case "text-to-speech":
      return "speech";
    case "audio-transcription":
      return "transcript";
    case "voice-management":
      return "voice";
    case "image-generation":
    case "image-editing":
      return "image";
    case "video-generation":
      return "video";
  }
}
