"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ListTree, RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Copy, Destination } from "#contract/copies.ts";
import { copiesCountedTo } from "#contract/copy-constants.ts";
import type { List } from "#contract/list.ts";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { StatusPill } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { IdChip } from "@/components/ui/id-chip";
import { ListFilters } from "@/components/ui/list/list-filters";
import { LiveRows, useLiveList } from "@/components/ui/list/live-list";
import { actionsHead, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { failureToast } from "@/components/ui/page/failure-toast";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatBytes } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";
import { copiesTo } from "@/lib/lists";
import { queryKeys } from "@/lib/query-keys";
import { copyLook, copyOptions, copyRules } from "@/lib/status/copy";
import { CopyFailure } from "./copy-failure.tsx";

export interface CopyLogProps {
  destination: Destination;
  initial: {
    query: ReturnType<ReturnType<typeof copiesTo>["queryOf"]>;
    list: List<Copy> | GatewayFailure;
  };
}

const livePollMs = 2_000;
const idlePollMs = 10_000;

/** The copies to a destination with every attempt. Failed copies can be retried, one by one or all. */
export function CopyLog({ destination, initial }: CopyLogProps) {
  const t = useWords("destinations");
  const states = useWords("states");
  const { id, failed_copies: failed, status } = destination;
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const live = useLiveList({
    list: copiesTo(id),
    initial,
    queryKey: queryKeys.copies,
    read: (query, signal) => fetchRoute("GET /copies", { query, signal }),
    everyMs: (shown) => (shown.some((copy) => copyRules(copy.status).open) ? livePollMs : idlePollMs),
  });
  const renew = () => {
    live.refresh();
    queryClient.invalidateQueries({ queryKey: queryKeys.destination(id) });
  };
  const retry = async () => {
    setBusy(true);
    const answer = await answerOf(act("POST /destinations/{id}/retry", { params: { id } }));
    setBusy(false);
    if (!answer.ok) return toast(await failureToast(answer.error));
    const { retried, has_more: hasMore } = answer.data;
    toast({
      title: retried === 0 ? t("nothingToRetry") : t("copiesQueued", { count: retried }),
      description: hasMore
        ? t("moreCopiesHaveFailedRetry")
        : retried === 0
          ? t("theFilesOfTheFailed")
          : t("filesThatHaveBeenRemoved"),
    });
    renew();
  };

  return (
    <Section
      title={t("copies")}
      description={t("everyFileThatWasOr")}
      actions={
        failed > 0 && (
          <Permitted to="copies:make">
            <Button
              size="sm"
              icon={<RotateCw size={14} aria-hidden />}
              busy={busy}
              disabled={status === "paused"}
              title={status === "paused" ? t("resumeTheDestinationFirst") : undefined}
              onClick={retry}
            >
              {t("retryAllFailed", { count: failed, more: failed < copiesCountedTo ? "" : "+" })}
            </Button>
          </Permitted>
        )
      }
    >
      <ListFilters
        list={live}
        selects={[{ name: "status", label: t("status"), any: t("anyStatus"), options: copyOptions(states) }]}
      />
      <LiveRows list={live} total={{ route: "GET /copies", noun: "copy" }}>
        {live.list && live.rows.length === 0 && (
          <p className="rounded-panel border border-dashed p-6 text-center text-muted">
            {live.active > 0 ? t("noCopiesMatchTheseFilters") : t("noFileWasCopiedYet")}
          </p>
        )}
        {live.rows.length > 0 && (
          <CopiesTable copies={live.rows} canRetry={status === "active"} onChanged={renew} />
        )}
      </LiveRows>
    </Section>
  );
}

const AttemptsDialog = dynamic(
  () => import("./attempts-dialog.tsx").then((module) => module.AttemptsDialog),
  {
    ssr: false,
  },
);

interface CopiesTableProps {
  copies: Copy[];
  /** False while the destination is paused. */
  canRetry: boolean;
  onChanged: () => void;
}

function CopiesTable({ copies, canRetry, onChanged }: CopiesTableProps) {
  const t = useWords("destinations");
  const states = useWords("states");
  const { toast } = useToast();
  const [open, setOpen] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);

  const retry = async (id: string) => {
    setBusy(id);
    const answer = await answerOf(act("POST /copies/{id}/retry", { params: { id } }));
    setBusy(null);
    if (!answer.ok) return toast(await failureToast(answer.error));
    toast({ title: t("queued") });
    onChanged();
  };

  return (
    <>
      <RowsTable
        label={t("copies")}
        rows={copies}
        columns={[
          {
            head: t("output"),
            cellClass: "max-w-80 min-w-36",
            cell: (copy) => (
              <>
                <IdChip
                  id={copy.run_id}
                  {...(copy.prediction_id && { href: `/predictions/${copy.prediction_id}` })}
                />
                <span className="block text-meta text-muted wrap-anywhere">
                  {copy.model} · {formatBytes(copy.size_bytes)}
                </span>
              </>
            ),
          },
          {
            head: t("status"),
            cellClass: "max-w-96",
            cell(copy) {
              const look = copyLook(states, copy.status);
              return (
                <>
                  <StatusPill {...look} title={look.meaning} />
                  {copy.last_error && (
                    <span className="block text-meta text-muted wrap-anywhere">
                      <CopyFailure failure={copy.last_error} />
                    </span>
                  )}
                  {copy.object_name && (
                    <span className="block font-mono text-meta text-muted wrap-anywhere">
                      {copy.object_name}
                    </span>
                  )}
                </>
              );
            },
          },
          {
            head: t("attempts"),
            from: "tablet",
            cellClass: "whitespace-nowrap",
            cell: (copy) => (
              <>
                <span className="tabular">
                  {t("attemptsOf", { count: copy.attempts, most: copy.max_attempts })}
                </span>
                {copy.attempts > 0 && copy.next_attempt_at && (
                  <span className="block text-meta text-muted">
                    {t.rich(
                      "nextAttempt",
                      {},
                      {
                        time: () => (
                          <Countdown key="time" until={copy.next_attempt_at ?? ""} ended={t("due")} />
                        ),
                      },
                    )}
                  </span>
                )}
              </>
            ),
          },
          {
            head: t("requested"),
            from: "tablet",
            cell: (copy) => (
              <>
                <Time value={copy.created_at} />
                <span className="block text-meta text-muted">
                  {t("copyTrigger", { trigger: copy.trigger })}
                </span>
              </>
            ),
          },
          {
            head: actionsHead,
            cell: (copy) => (
              <RowControls>
                <IconButton
                  size="sm"
                  label={t("attemptsOfRunid", { runid: copy.run_id })}
                  icon={<ListTree size={14} aria-hidden />}
                  onClick={() => setOpen(copy.id)}
                />
                {copyRules(copy.status).canRetry && canRetry && (
                  <Permitted to="copies:make">
                    <IconButton
                      size="sm"
                      label={t("retryRunid", { runid: copy.run_id })}
                      busy={busy === copy.id}
                      icon={<RotateCw size={14} aria-hidden />}
                      onClick={() => retry(copy.id)}
                    />
                  </Permitted>
                )}
              </RowControls>
            ),
          },
        ]}
      />
      {open !== null && <AttemptsDialog id={open} onClose={() => setOpen(null)} />}
    </>
  );
}
