"use client";

import { CirclePause, CircleStop, Download, Play, RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState } from "react";
import { hasBatchEnded } from "#contract/batch-constants.ts";
import type { Batch } from "#contract/batches.ts";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { pauseBatch, resumeBatch, runFailedAgain, stopBatch } from "@/lib/batches/actions";
import { resultsHref } from "@/lib/batches/address";
import { saveFrom } from "@/lib/browser/save-from";
import { formatCount } from "@/lib/format";
import { batchLook } from "@/lib/status/batch";
import { type MakeChange, useBatchChange } from "./use-batch-change.tsx";

const ConfirmDialog = dynamic(() => import("@/components/ui/dialog").then((module) => module.ConfirmDialog), {
  ssr: false,
});

const ResumeDialog = dynamic(() => import("./resume-dialog.tsx").then((module) => module.ResumeDialog), {
  ssr: false,
});

interface BatchActionsProps {
  batch: Batch;
  accountId: string;
}

/** Pause, resume, stop, run failed rows again, and save the results. */
export function BatchActions({ batch, accountId }: BatchActionsProps) {
  const { acting, change, dialog } = useBatchChange(batch.id);
  const [asking, setAsking] = useState(false);
  const [resuming, setResuming] = useState(false);
  /** The status in which a button was pressed. */
  const actedIn = useRef<string | null>(null);
  const buttons = useRef<HTMLSpanElement>(null);
  const { canPause, canResume, canStop } = batchLook(batch.status);
  const { failed, canceled, succeeded } = batch.counts;
  const ended = hasBatchEnded(batch.status);
  const hasBudget = batch.budgets.length > 0;

  // The button that was pressed may be gone.
  useEffect(() => {
    const isChanged = actedIn.current !== null && actedIn.current !== batch.status;
    if (isChanged && document.activeElement === document.body)
      buttons.current?.querySelector("button")?.focus();
  }, [batch.status]);

  const act = async (name: string, make: MakeChange) => {
    actedIn.current = batch.status;
    const isDone = await change(name, make);
    setAsking(false);
    if (isDone) setResuming(false);
  };
  const again = (also: boolean) =>
    void act("again", (confirmed) =>
      runFailedAgain(batch.id, { ...(also && { canceled: true }), ...confirmed }),
    );

  return (
    <span ref={buttons} className="contents">
      {succeeded + failed > 0 && !batch.data_removed && (
        <Menu
          label="Save results"
          trigger={<Button icon={<Download size={16} aria-hidden />}>Save results</Button>}
          items={[
            {
              label: "CSV",
              hint: "Inputs, results and errors of all rows",
              onSelect: () => saveFrom(resultsHref(batch.id, "csv", accountId)),
            },
            {
              label: "Zip",
              hint: "All files, with a manifest",
              onSelect: () => saveFrom(resultsHref(batch.id, "zip", accountId)),
            },
          ]}
        />
      )}
      {canPause && (
        <Permitted to="predictions:cancel">
          <Button
            icon={<CirclePause size={16} aria-hidden />}
            busy={acting === "pause"}
            onClick={() => void act("pause", () => pauseBatch(batch.id))}
          >
            Pause
          </Button>
        </Permitted>
      )}
      {canResume && (
        <Permitted to="operations:run">
          <Button
            variant="primary"
            icon={<Play size={16} aria-hidden />}
            busy={acting === "resume"}
            onClick={() => {
              if (hasBudget) setResuming(true);
              else void act("resume", (confirmed) => resumeBatch(batch.id, confirmed));
            }}
          >
            Resume
          </Button>
        </Permitted>
      )}
      {canStop && (
        <Permitted to="predictions:cancel">
          <Button icon={<CircleStop size={16} aria-hidden />} onClick={() => setAsking(true)}>
            Stop
          </Button>
        </Permitted>
      )}
      {failed > 0 && !batch.data_removed && (
        <Permitted to="operations:run">
          <Button
            variant={ended ? "primary" : "secondary"}
            icon={<RotateCw size={16} aria-hidden />}
            busy={acting === "again"}
            onClick={() => again(false)}
          >
            Run {formatCount(failed, "failed row")} again
          </Button>
        </Permitted>
      )}
      {ended && canceled > 0 && !batch.data_removed && (
        <Permitted to="operations:run">
          <Button
            icon={<RotateCw size={16} aria-hidden />}
            busy={acting === "again"}
            onClick={() => again(true)}
          >
            Run the rest
          </Button>
        </Permitted>
      )}
      {resuming && (
        <ResumeDialog
          batch={batch}
          busy={acting === "resume"}
          onResume={(body) =>
            void act("resume", (confirmed) => resumeBatch(batch.id, { ...body, ...confirmed }))
          }
          onClose={() => setResuming(false)}
        />
      )}
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title="Stop this batch?"
          body="Rows that have not started are canceled. Rows that are running finish and are billed. You can run the rest later."
          confirmLabel="Stop batch"
          tone="bad"
          busy={acting === "stop"}
          onConfirm={() => void act("stop", () => stopBatch(batch.id))}
        />
      )}
      {dialog}
    </span>
  );
}
