"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { ApiType } from "#contract/catalog.ts";
import type { KeepRequest } from "#contract/outputs.ts";
import { ShellIcon } from "@/components/shell/shell-icon";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import type { Run } from "@/lib/browser/runs/run";
import { useOutputsOfRun } from "@/lib/outputs/outputs-of-run";

const LabelsDialog = dynamic(() => import("./labels-dialog.tsx").then((module) => module.LabelsDialog), {
  ssr: false,
});

interface KeepOutputProps {
  runId: string;
  /** Position among the run's files, from 0. */
  index: number;
  /** The file's name if there are several files. */
  name?: string;
  /** Operation and input of a run that the gateway has not stored. */
  source?: Pick<KeepRequest, "api_type" | "input">;
}

/**
 * Keeps one file of a run with a click. The user can then add labels. Hidden if the gateway cannot keep
 * outputs.
 */
export function KeepOutput({ runId, index, name = "", source = {} }: KeepOutputProps) {
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const [labelling, setLabelling] = useState(false);
  const { data, refetch } = useOutputsOfRun(runId);
  const output = data?.data.find(({ position }) => position === index + 1);
  if (!output || !(output.keepable || output.kept)) return null;

  const keep = async () => {
    setBusy(true);
    const { keepNow } = await import("./keep-now.ts");
    const message = await keepNow(output.id, source, () => setLabelling(true));
    await refetch();
    setBusy(false);
    toast(message);
  };

  return (
    <>
      <Permitted to="outputs:keep">
        <Button
          size="sm"
          busy={busy}
          icon={<ShellIcon name="bookmark" size={14} className={output.kept ? "fill-current" : ""} />}
          aria-label={
            output.kept ? `Kept: labels${name && ` of ${name}`}` : `Keep${name && ` ${name}`} in the library`
          }
          onClick={() => (output.kept ? setLabelling(true) : void keep())}
        >
          {output.kept ? "Kept" : "Keep"}
        </Button>
      </Permitted>
      {labelling && output.kept && <LabelsDialog output={output} onClose={() => setLabelling(false)} />}
    </>
  );
}

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
