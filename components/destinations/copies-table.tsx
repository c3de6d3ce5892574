"use client";

import { ListTree, RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Copy } from "#contract/copies.ts";
import { Permitted } from "@/components/team/permitted";
import { IconButton } from "@/components/ui/button";
import { IdChip } from "@/components/ui/id-chip";
import { actionsHead, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { failureToast } from "@/components/ui/page/failure-toast";
import { StatusPill } from "@/components/ui/status-pill";
import { Countdown, Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { retryFailedCopy } from "@/lib/destinations/actions";
import { formatBytes } from "@/lib/format";
import { copyLook } from "@/lib/status/copy";

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

export function CopiesTable({ copies, canRetry, onChanged }: CopiesTableProps) {
  const { toast } = useToast();
  const [open, setOpen] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);

  const retry = async (id: string) => {
    setBusy(id);
    const answer = await answerOf(retryFailedCopy(id));
    setBusy(null);
    if (!answer.ok) return toast(await failureToast(answer.error));
    toast({ title: "Queued" });
    onChanged();
  };

  return (
    <>
      <RowsTable
        label="Copies"
        rows={copies}
        columns={[
          {
            head: "Output",
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
            head: "Status",
            cellClass: "max-w-96",
            cell(copy) {
              const look = copyLook(copy.status);
              return (
                <>
                  <StatusPill {...look} title={look.meaning} />
                  {copy.last_error && (
                    <span className="block text-meta text-muted wrap-anywhere">
                      {copy.last_error.message}
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
            head: "Attempts",
            from: "tablet",
            cellClass: "whitespace-nowrap",
            cell: (copy) => (
              <>
                <span className="tabular">
                  {copy.attempts} of {copy.max_attempts}
                </span>
                {copy.attempts > 0 && copy.next_attempt_at && (
                  <span className="block text-meta text-muted">
                    next: <Countdown until={copy.next_attempt_at} ended="due" />
                  </span>
                )}
              </>
            ),
          },
          {
            head: "Asked for",
            from: "tablet",
            cell: (copy) => (
              <>
                <Time value={copy.created_at} />
                <span className="block text-meta text-muted">{copy.trigger}</span>
              </>
            ),
          },
          {
            head: actionsHead,
            cell: (copy) => (
              <RowControls>
                <IconButton
                  size="sm"
                  label={`Attempts of ${copy.run_id}`}
                  icon={<ListTree size={14} aria-hidden />}
                  onClick={() => setOpen(copy.id)}
                />
                {copyLook(copy.status).canRetry && canRetry && (
                  <Permitted to="copies:make">
                    <IconButton
                      size="sm"
                      label={`Retry ${copy.run_id}`}
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
