"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { KeepRequest } from "#contract/outputs.ts";
import { ShellIcon } from "@/components/shell/shell-icon";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
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
