"use client";

import type { ApiType } from "#contract/catalog.ts";
import type { Run } from "@/lib/browser/runs/run";
import { KeepOutput } from "./keep-output.tsx";

/**
 * Keeps files of a run that is stored only in this browser, because it is not a prediction. Sends the input
 * too, which the gateway has not stored.
 */
export function KeepRun({ run, count }: { run: Run; count: number }) {
  const runId = run.meta?.generationId;
  if (!runId) return null;
  const { model: _, ...input } = run.body;
  const apiType = run.operationId.split(":").at(-1) as ApiType;
  return (
    <div className="flex flex-wrap items-center gap-2 text-table">
      {Array.from({ length: count }, (_, index) => `file ${index + 1}`).map((name, index) => (
        <span key={name} className="inline-flex items-center gap-1">
          {count > 1 && <span className="text-muted">{index + 1}</span>}
          <KeepOutput
            runId={runId}
            index={index}
            name={count > 1 ? name : ""}
            source={{ api_type: apiType, input }}
          />
        </span>
      ))}
    </div>
  );
}
