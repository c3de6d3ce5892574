"use client";

import { CirclePause, CircleStop, Download, Play, RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { hasBatchEnded } from "#contract/batch-constants.ts";
import type { Batch } from "#contract/batches.ts";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { StatusPill } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { IdChip } from "@/components/ui/id-chip";
import { Menu } from "@/components/ui/menu";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Time, useNow } from "@/components/ui/time";
import { batchTitle } from "@/lib/batches/labels";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { saveFrom } from "@/lib/browser/save-file";
import { act } from "@/lib/gateway/act";
import { accountInAddress } from "@/lib/paths";
import { batchLook, batchRules } from "@/lib/status/batch";
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

/** The head of the page of a batch or comparison: its name, actions, status and maker. */
export function BatchHead({ reading: { data: batch, error, refetch }, accountId, children }: BatchHeadProps) {
  const t = useWords("batches");
  const look = batchLook(useWords("states"), batch.status);
  const failure = failureBehind(error);
  const title = batchTitle(t, batch);
  const by = makerName(batch.made_by, t.language);
  const { kind } = batch;

  useEffect(() => {
    document.title = `${t("titleOfBatch", { kind, title })} · Gatehouse`;
  }, [t, kind, title]);

  return (
    <>
      <PageHeader title={title} actions={<BatchActions batch={batch} accountId={accountId} />} />
      <div className="-mt-3 mb-4 flex flex-wrap items-center gap-2">
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
        <IdChip id={batch.id} />
        {children}
        <span className="text-table text-muted">
          {t.rich(
            by ? "startedBy" : "startedAt",
            { by: by ?? "" },
            { time: () => <Time key="time" value={batch.created_at} /> },
          )}
        </span>
        <span role="status" className="sr-only">
          {t("statusOfBatch", { kind, label: look.label })}
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
  const t = useWords("batches");
  const { acting, change, dialog } = useBatchChange(batch.id);
  const [asking, setAsking] = useState(false);
  const [resuming, setResuming] = useState(false);
  /** The batch's status when the user pressed a button. */
  const actedIn = useRef<string | null>(null);
  const buttons = useRef<HTMLSpanElement>(null);
  const { canPause, canResume, canStop } = batchRules(batch.status);
  const { failed, canceled, succeeded } = batch.counts;

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
            {t("pause")}
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
            {t("resume")}
          </Button>
        </Permitted>
      )}
      {canStop && (
        <Permitted to="predictions:cancel">
          <Button icon={<CircleStop size={16} aria-hidden />} onClick={() => setAsking(true)}>
            {t("stop")}
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
            {t("runFailedAgain", { kind: batch.kind, failed })}
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
            {t("runCanceled", { kind: batch.kind, failed: failed > 0 ? "yes" : "no" })}
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
          title={t("stopThis", { kind: batch.kind })}
          body={t("stoppingCancels", { kind: batch.kind })}
          confirmLabel={t("stopNow", { kind: batch.kind })}
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
  const t = useWords("batches");
  return (
    <Menu
      label={t("saveResults")}
      trigger={<Button icon={<Download size={16} aria-hidden />}>{t("saveResults")}</Button>}
      items={[
        {
          label: t("csv"),
          hint: t("inputsResultsAndErrorsOf", { kind: batch.kind }),
          onSelect: () => saveFrom(resultsHref(batch.id, "csv", accountId)),
        },
        {
          label: t("zip"),
          hint: t("allFilesWithAManifest"),
          onSelect: () => saveFrom(resultsHref(batch.id, "zip", accountId)),
        },
        ...openAiFiles(batch).map(({ id, label, hint }) => ({
          label: t(label),
          hint: t(hint),
          onSelect: () => saveFrom(`/api/gateway/files/${id}/content?${accountInAddress}=${accountId}`),
        })),
      ]}
    />
  );
}

/** The batch's files in OpenAI's format, for OpenAI's clients. */
function openAiFiles({ openai }: Batch) {
  const files = [
    { id: openai?.output_file_id, label: "outputFile", hint: "oneAnswerPerLine" },
    { id: openai?.error_file_id, label: "errorFile", hint: "errorsOfFailedLines" },
  ] as const;
  return files.flatMap(({ id, ...words }) => (id ? [{ id, ...words }] : []));
}

/** The results as a file, which is streamed whatever its size. */
function resultsHref(id: string, format: "csv" | "zip", accountId: string): string {
  return `/api/gateway/batches/${id}/results.${format}?${accountInAddress}=${accountId}`;
}

const minuteMs = 60_000;

/** When outputs are removed so soon, the notice is a warning. */
const soonMs = 3 * 60 * minuteMs;

/** Notices about a batch, in addition to its status. */
export function BatchNotices({ batch }: { batch: Batch }) {
  const t = useWords("batches");
  const by = makerName(batch.runs_as, t.language) ?? t("whoRunsTheBatch");
  const ended = hasBatchEnded(batch.status);
  const nowMs = useNow(minuteMs);
  return (
    <div className="mb-4 space-y-2 empty:hidden">
      {batch.reason && <Notice tone="bad">{batch.reason.message}</Notice>}
      {batch.waits_until && (
        <Notice tone="warn">
          {t.rich(
            "reachedARateLimit",
            { by },
            {
              time: () => <Countdown key="time" until={batch.waits_until ?? ""} ended={t("aMoment")} />,
            },
          )}
        </Notice>
      )}
      {batch.data_removed ? (
        <Notice tone="warn">{t("theInputsAndResultsOf")}</Notice>
      ) : (
        batch.first_output_expires_at && (
          <Notice tone={Date.parse(batch.first_output_expires_at) - nowMs < soonMs ? "warn" : "plain"}>
            {t.rich(
              ended ? "outputsExpire" : "outputsExpireBefore",
              {},
              {
                time: () => (
                  <Countdown key="time" until={batch.first_output_expires_at ?? ""} ended={t("aMoment")} />
                ),
              },
            )}
          </Notice>
        )
      )}
    </div>
  );
}

const looks = {
  plain: "bg-panel text-muted",
  warn: "border-warn bg-warn-soft",
  bad: "border-bad bg-bad-soft",
};

function Notice({ tone, children }: { tone: keyof typeof looks; children: React.ReactNode }) {
  return <p className={`rounded-panel border px-4 py-2 text-table ${looks[tone]}`}>{children}</p>;
}
