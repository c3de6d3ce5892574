"use client";

import { useEffect } from "react";
import type { Batch, BatchRowList } from "#contract/batches.ts";
import { BatchActions, BatchNotices } from "@/components/batches/batch-actions";
import { BatchBar } from "@/components/batches/batch-bar";
import { useBatch } from "@/components/batches/use-batch";
import { MoneyUse } from "@/components/keys/money-use";
import { IdChip } from "@/components/ui/id-chip";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { batchTitle, costLabel, progressLabel } from "@/lib/batches/labels";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { batchLook } from "@/lib/status/batch";
import { makerName } from "@/lib/team/maker";
import { ComparisonResults } from "./comparison-results.tsx";

interface ComparisonDetailProps {
  initial: Batch;
  /** Its rows when the page was opened; null: they could not be read then. */
  initialRows: BatchRowList | null;
  accountId: string;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

/** One comparison: its progress, the actions, and the results of all models as a wall. */
export function ComparisonDetail({ initial, initialRows, accountId, baseUrl }: ComparisonDetailProps) {
  const { data: batch, error, refetch } = useBatch(initial);
  const look = batchLook(batch.status);
  const failure = failureBehind(error);
  const title = batchTitle(batch);
  const by = makerName(batch.made_by);

  useEffect(() => {
    document.title = `Comparison ${title} · Gatehouse`;
  }, [title]);

  return (
    <div data-wide>
      <PageHeader title={title} actions={<BatchActions batch={batch} accountId={accountId} />} />
      <div className="-mt-3 mb-3 flex flex-wrap items-center gap-2">
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
        <IdChip id={batch.id} />
        <span className="text-table text-muted">
          started <Time value={batch.created_at} />
          {by && ` by ${by}`}
        </span>
        <span role="status" className="sr-only">
          Comparison status: {look.label}
        </span>
      </div>
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      <div className="mb-4">
        <p className="tabular mb-1 flex flex-wrap justify-between gap-2 text-table">
          <span>{progressLabel(batch.counts, "model")}</span>
          <span className="text-muted">{costLabel(batch)}</span>
        </p>
        <BatchBar counts={batch.counts} noun="model" label="Results of this comparison" />
        <MoneyUse budgets={batch.budgets} />
      </div>
      <ComparisonResults batch={batch} initialRows={initialRows} baseUrl={baseUrl} />
      {/* Below the results, which must not move when a notice appears. */}
      <div className="mt-4">
        <BatchNotices batch={batch} />
      </div>
    </div>
  );
}
