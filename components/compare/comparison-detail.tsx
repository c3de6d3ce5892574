"use client";

import type { Batch, BatchRowList } from "#contract/batches.ts";
import { useWords } from "#words";
import { BatchHead, BatchNotices } from "@/components/batches/batch-actions";
import { BatchBar } from "@/components/batches/batch-state";
import { useBatch } from "@/components/batches/use-batch";
import { MoneyUse } from "@/components/keys/money-use";
import { costLabel, progressLabel } from "@/lib/batches/labels";
import { ComparisonResults } from "./comparison-results.tsx";

interface ComparisonDetailProps {
  initial: Batch;
  /** The comparison's rows when the page was opened. Null if they could not be read. */
  initialRows: BatchRowList | null;
  accountId: string;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

/** One comparison: its progress, the actions, and the results of all models as a wall. */
export function ComparisonDetail({ initial, initialRows, accountId, baseUrl }: ComparisonDetailProps) {
  const t = useWords("compare");
  const batches = useWords("batches");
  const reading = useBatch(initial);
  const batch = reading.data;
  return (
    <div data-wide>
      <BatchHead reading={reading} accountId={accountId} />
      <div className="mb-4">
        <p className="tabular mb-1 flex flex-wrap justify-between gap-2 text-table">
          <span>{progressLabel(batches, batch.counts, "comparison")}</span>
          <span className="text-muted">{costLabel(batches, batch)}</span>
        </p>
        <BatchBar counts={batch.counts} kind="comparison" label={t("resultsOfThisComparison")} />
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
