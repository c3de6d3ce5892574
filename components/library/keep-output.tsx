"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { KeepRequest } from "#contract/outputs.ts";
import { useWords } from "#words";
import { usePreferences } from "@/components/shell/preferences";
import { ShellIcon } from "@/components/shell/shell-icon";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { useOutputsOfRun } from "@/lib/outputs/outputs-of-run";

const LabelsDialog = dynamic(() => import("./labels-dialog.tsx").then((module) => module.LabelsDialog), {
  ssr: false,
});

export interface KeepOutputProps {
  runId: string;
  /** Position among the run's files, from 0. */
  index: number;
  /** The file's name if there are several files. */
  name?: string;
  /** Operation and input of a run that the gateway has not stored. */
  source?: Pick<KeepRequest, "api_type" | "input">;
}

/**
 * Keeps one file of a run with a click. The same button then opens its labels. Hidden if the gateway cannot keep
 * outputs.
 */
export function KeepOutput({ runId, index, name = "", source = {} }: KeepOutputProps) {
  const t = useWords("library");
  const { toast } = useToast();
  const { push } = usePageRouter();
  const { timeZone } = usePreferences();
  const [busy, setBusy] = useState(false);
  const [labelling, setLabelling] = useState(false);
  const { keepsOutputs } = useAccess();
  const { data, error, refetch } = useOutputsOfRun(runId);
  const fileIn = (list: typeof data) => list?.data.find(({ position }) => position === index + 1);
  const output = fileIn(data);
  // Before the files are known, the button is in its place, and a click waits for them.
  const isUnknown = !data && !error && keepsOutputs;
  if (!isUnknown && !(output?.keepable || output?.kept)) return null;

  const keep = async () => {
    setBusy(true);
    const found = output ?? fileIn((await refetch()).data);
    if (found) {
      const { keepNow } = await import("./keep-now.ts");
      const message = await keepNow(found.id, source, { t, timeZone, openLibrary: () => push("/library") });
      await refetch();
      toast(message);
    }
    setBusy(false);
  };

  return (
    <>
      <Permitted to="outputs:keep">
        <Button
          size="sm"
          variant="ghost"
          busy={busy}
          icon={<ShellIcon name="bookmark" size={14} className={output?.kept ? "fill-current" : ""} />}
          aria-label={
            output?.kept
              ? name
                ? t("keptLabelsOf", { name })
                : t("keptLabels")
              : name
                ? t("keepNameInTheLibrary", { name })
                : t("keepInTheLibrary")
          }
          onClick={() => (output?.kept ? setLabelling(true) : void keep())}
        >
          {output?.kept ? t("kept") : t("keep")}
        </Button>
      </Permitted>
      {labelling && output?.kept && <LabelsDialog output={output} onClose={() => setLabelling(false)} />}
    </>
  );
}
