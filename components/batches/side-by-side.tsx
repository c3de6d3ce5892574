"use client";

import dynamic from "next/dynamic";
import type { Batch, BatchRow } from "#contract/batches.ts";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { compareHref } from "@/components/predictions/compare/compare-link";
import { LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Duration } from "@/components/ui/quantity";
import { StatusPill } from "@/components/ui/status-pill";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { formatCount } from "@/lib/format";
import { batchRowLook } from "@/lib/status/batch";
import { useBatchRows } from "./use-batch";

const MediaPreview = dynamic(
  () => import("@/components/media/media-preview").then((module) => module.MediaPreview),
  { loading: () => null },
);

const limit = 100;

/** The rows of a comparison beside one another: the same input, each with its model. */
export function SideBySide({ batch }: { batch: Batch }) {
  const rows = useBatchRows(batch, { limit });
  const failure = failureBehind(rows.error);
  const runs = (rows.data?.data ?? []).flatMap(({ run_id: id }) => (id?.startsWith("pred_") ? [id] : []));
  return (
    <div className="space-y-3">
      {failure && <ErrorPanel error={failure} onRetry={() => void rows.refetch()} />}
      {rows.isPending && <Skeleton className="h-40" />}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label="Results side by side"
        className="grid min-w-0 auto-cols-[minmax(260px,1fr)] grid-flow-col gap-4 overflow-x-auto pb-2"
      >
        {rows.data?.data.map((row) => (
          <Column key={row.row} row={row} />
        ))}
      </section>
      {runs.length > 1 && (
        <LinkButton size="sm" href={compareHref(runs)}>
          Compare inputs and timing
        </LinkButton>
      )}
    </div>
  );
}

function Column({ row }: { row: BatchRow }) {
  const look = batchRowLook(row.status);
  const took =
    row.started_at && row.completed_at ? Date.parse(row.completed_at) - Date.parse(row.started_at) : null;
  const text = row.text ?? (row.output && JSON.stringify(row.output, null, 2));
  return (
    <section aria-label={row.model} className="flex min-w-0 flex-col gap-3 rounded-panel border bg-panel p-4">
      <header className="space-y-1">
        <h2 className="font-mono font-medium wrap-anywhere">{row.model}</h2>
        <p className="flex flex-wrap items-center gap-2 text-meta text-muted">
          <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
          {took !== null && <Duration ms={took} />}
          {row.usage && <span className="tabular">{formatCount(row.usage.quantity, row.usage.unit)}</span>}
          {row.sandbox && <SandboxBadge />}
        </p>
      </header>
      {row.error && (
        <p className="rounded-control border border-bad bg-bad-soft p-2 text-table wrap-anywhere">
          {row.error.message}
        </p>
      )}
      {row.data?.map((file, index) => (
        <MediaPreview key={file.url} file={file} title={`Output ${index + 1} of ${row.model}`} />
      ))}
      {text && <p className="max-h-[60vh] overflow-y-auto whitespace-pre-wrap wrap-anywhere">{text}</p>}
      {row.data_removed && <p className="text-muted">Deleted after its retention time.</p>}
    </section>
  );
}
