"use client";

import { CirclePause, CircleStop, Download, Play, RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type BatchKind, hasBatchEnded } from "#contract/batch-constants.ts";
import type { Batch } from "#contract/batches.ts";
import { Permitted } from "@/components/team/permitted";
import { StatusPill } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { IdChip } from "@/components/ui/id-chip";
import { Menu } from "@/components/ui/menu";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Countdown, Time } from "@/components/ui/time";
import { batchTitle } from "@/lib/batches/labels";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { saveFrom } from "@/lib/browser/save-file";
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { accountInAddress } from "@/lib/paths";
import { batchLook } from "@/lib/status/batch";
import { makerName } from "@/lib/team/maker";
import { type MakeChange, type useBatch, useBatchChange } from "./use-batch.tsx";

const ConfirmDialog = dynamic(() => import("@/components/ui/dialog").then((module) => module.ConfirmDialog), {
  ssr: false,
});

const ResumeDialog = dynamic(() => import("./resume-dialog.tsx").then((module) => module.ResumeDialog), {
  ssr: false,
});

interface BatchHeadProps {
  /** The result of `useBatch`: the batch, and the failure of the last read. */
  reading: ReturnType<typeof useBatch>;
  accountId: string;
  /** Badges beside the status. */
  children?: ReactNode;
}

const nouns: Record<BatchKind, string> = { table: "Batch", comparison: "Comparison" };

/** The head of the page of a batch or comparison: its name, actions, status and maker. */
export function BatchHead({ reading: { data: batch, error, refetch }, accountId, children }: BatchHeadProps) {
  const look = batchLook(batch.status);
  const failure = failureBehind(error);
  const title = batchTitle(batch);
  const by = makerName(batch.made_by);
  const noun = nouns[batch.kind];

  useEffect(() => {
    document.title = `${noun} ${title} · Gatehouse`;
  }, [noun, title]);

  return (
    <>
      <PageHeader title={title} actions={<BatchActions batch={batch} accountId={accountId} />} />
      <div className="-mt-3 mb-4 flex flex-wrap items-center gap-2">
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
        <IdChip id={batch.id} />
        {children}
        <span className="text-table text-muted">
          started <Time value={batch.created_at} />
          {by && ` by ${by}`}
        </span>
        <span role="status" className="sr-only">
          {noun} status: {look.label}
        </span>
      </div>
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
    </>
  );
}

interface BatchActionsProps {
  batch: Batch;
  accountId: string;
}

/** Buttons to pause, resume and stop the batch, to run failed rows again, and to save the results. */
function BatchActions({ batch, accountId }: BatchActionsProps) {
  const { acting, change, dialog } = useBatchChange(batch.id);
  const [asking, setAsking] = useState(false);
  const [resuming, setResuming] = useState(false);
  /** The batch's status when the user pressed a button. */
  const actedIn = useRef<string | null>(null);
  const buttons = useRef<HTMLSpanElement>(null);
  const { canPause, canResume, canStop } = batchLook(batch.status);
  const { failed, canceled, succeeded } = batch.counts;
  const words = actionWords[batch.kind];
  const ended = hasBatchEnded(batch.status);
  const hasBudget = batch.budgets.length > 0;

  // The pressed button may be gone, so the focus moves to another one.
  useEffect(() => {
    const isChanged = actedIn.current !== null && actedIn.current !== batch.status;
    if (isChanged && document.activeElement === document.body)
      buttons.current?.querySelector("button")?.focus();
  }, [batch.status]);

  const of = { params: { id: batch.id } };
  const run = async (name: string, make: MakeChange) => {
    actedIn.current = batch.status;
    const isDone = await change(name, make);
    setAsking(false);
    if (isDone) setResuming(false);
  };
  const again = (also: boolean) =>
    void run("again", (confirmed) =>
      act("POST /batches/{id}/retry_failed", {
        ...of,
        body: { ...(also && { canceled: true }), ...confirmed },
      }),
    );

  return (
    <span ref={buttons} className="contents">
      {succeeded + failed > 0 && !batch.data_removed && <SaveResults batch={batch} accountId={accountId} />}
      {canPause && (
        <Permitted to="predictions:cancel">
          <Button
            icon={<CirclePause size={16} aria-hidden />}
            busy={acting === "pause"}
            onClick={() => void run("pause", () => act("POST /batches/{id}/pause", of))}
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
              else
                void run("resume", (confirmed) =>
                  act("POST /batches/{id}/resume", { ...of, body: confirmed }),
                );
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
            Run {formatCount(failed, words.failed)} again
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
            Run {failed > 0 && "failed and "}canceled {words.rows.toLowerCase()}
          </Button>
        </Permitted>
      )}
      {resuming && (
        <ResumeDialog
          batch={batch}
          busy={acting === "resume"}
          onResume={(body) =>
            void run("resume", (confirmed) =>
              act("POST /batches/{id}/resume", { ...of, body: { ...body, ...confirmed } }),
            )
          }
          onClose={() => setResuming(false)}
        />
      )}
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title={words.stop}
          body={`${words.rows} that have not started are canceled. ${words.rows} that are running finish and are billed. You can run the canceled ones later.`}
          confirmLabel={words.confirm}
          tone="bad"
          busy={acting === "stop"}
          onConfirm={() => void run("stop", () => act("POST /batches/{id}/stop", of))}
        />
      )}
      {dialog}
    </span>
  );
}

/** Downloads the results as a table, or with all files. */
function SaveResults({ batch, accountId }: BatchActionsProps) {
  return (
    <Menu
      label="Save results"
      trigger={<Button icon={<Download size={16} aria-hidden />}>Save results</Button>}
      items={[
        {
          label: "CSV",
          hint: `Inputs, results and errors of all ${actionWords[batch.kind].rows.toLowerCase()}`,
          onSelect: () => saveFrom(resultsHref(batch.id, "csv", accountId)),
        },
        {
          label: "Zip",
          hint: "All files, with a manifest",
          onSelect: () => saveFrom(resultsHref(batch.id, "zip", accountId)),
        },
        ...openAiFiles(batch).map(({ id, ...words }) => ({
          ...words,
          onSelect: () => saveFrom(`/api/gateway/files/${id}/content?${accountInAddress}=${accountId}`),
        })),
      ]}
    />
  );
}

const actionWords: Record<BatchKind, Record<"rows" | "failed" | "stop" | "confirm", string>> = {
  table: { rows: "Rows", failed: "failed row", stop: "Stop this batch?", confirm: "Stop batch" },
  comparison: {
    rows: "Models",
    failed: "failed model",
    stop: "Stop this comparison?",
    confirm: "Stop comparison",
  },
};

/** The batch's files in OpenAI's format, for OpenAI's clients. */
function openAiFiles({ openai }: Batch) {
  return [
    {
      id: openai?.output_file_id,
      label: "Output file",
      hint: "In OpenAI's JSONL format, one answer per line",
    },
    {
      id: openai?.error_file_id,
      label: "Error file",
      hint: "In OpenAI's JSONL format, the errors of failed lines",
    },
  ].flatMap(({ id, ...words }) => (id ? [{ id, ...words }] : []));
}

/** The results as a file, which is streamed whatever its size. */
function resultsHref(id: string, format: "csv" | "zip", accountId: string): string {
  return `/api/gateway/batches/${id}/results.${format}?${accountInAddress}=${accountId}`;
}

/** Notices about a batch, in addition to its status. */
export function BatchNotices({ batch }: { batch: Batch }) {
  const by = makerName(batch.runs_as) ?? "the person who runs the batch";
  const ended = hasBatchEnded(batch.status);
  return (
    <div className="mb-4 space-y-2 empty:hidden">
      {batch.reason && <Notice tone="bad">{batch.reason.message}</Notice>}
      {batch.waits_until && (
        <Notice tone="warn">
          {by} reached a rate limit: the next row starts in{" "}
          <Countdown until={batch.waits_until} ended="a moment" />.
        </Notice>
      )}
      {batch.data_removed ? (
        <Notice tone="warn">The inputs and results of this batch have expired and were deleted.</Notice>
      ) : (
        batch.first_output_expires_at && (
          <Notice tone="warn">
            Outputs expire. The first ones are deleted in{" "}
            <Countdown until={batch.first_output_expires_at} ended="a moment" />. Download the results
            {ended ? "." : " before then."}
          </Notice>
        )
      )}
    </div>
  );
}

const looks = { warn: "border-warn bg-warn-soft", bad: "border-bad bg-bad-soft" };

function Notice({ tone, children }: { tone: keyof typeof looks; children: React.ReactNode }) {
  return <p className={`rounded-panel border px-4 py-2 text-table ${looks[tone]}`}>{children}</p>;
}
