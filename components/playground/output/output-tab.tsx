"use client";

import { Play } from "lucide-react";
import dynamic from "next/dynamic";
import type { CatalogOperation } from "#contract/catalog.ts";
import type { Run } from "@/lib/browser/runs/run";
import { usePlayground } from "../use-playground";

const RunView = dynamic(() => import("./run-view").then((module) => module.RunView), { ssr: false });

/** The run that is shown, or where it will appear. */
export function OutputTabContent() {
  const { run, operation } = usePlayground();
  return (
    <>
      {/* One polite line for screen readers; the output itself would be read piece by piece. */}
      <p role="status" className="sr-only">
        {run && announcement(run)}
      </p>
      {run ? (
        <RunView run={run} />
      ) : (
        <div className="grid min-h-56 place-items-center rounded-panel border border-dashed p-6 text-center">
          <div>
            <Play size={20} aria-hidden className="mx-auto mb-2 text-muted" />
            <p className="text-muted">Press Run. The {noun(operation)} will appear here.</p>
          </div>
        </div>
      )}
    </>
  );
}

function announcement(run: Run): string {
  if (run.state === "running") return run.output ? "The model is answering." : "Running.";
  if (run.state === "stopped") return "Stopped. The partial answer is kept.";
  if (run.state === "failed") return "The run failed.";
  return run.output?.kind === "prediction" ? "Queued." : "The run has finished.";
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
    case "embeddings":
      return "vector";
    case "rerank":
      return "ranking";
  }
}
