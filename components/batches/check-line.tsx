"use client";

import type { BatchCheck } from "#contract/batches.ts";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { estimateWords, mostCostWords } from "@/lib/batches/words";
import { formatCount } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";

interface CheckLineProps {
  check: BatchCheck | null;
  failure: GatewayFailure | null;
  isCurrent: boolean;
  isEmpty: boolean;
  again: () => void;
}

/** What the gateway says of the rows. */
export function CheckLine({ check, failure, isCurrent, isEmpty, again }: CheckLineProps) {
  if (failure) return <ErrorPanel error={failure} onRetry={again} />;
  return (
    <p role="status" className="min-w-0 flex-1 basis-52 text-table text-muted">
      {isEmpty
        ? "Type, paste a range of a spreadsheet, or choose a CSV or JSONL file."
        : check && isCurrent
          ? words(check)
          : "Checking…"}
    </p>
  );
}

function words({ rows, faults_total: faults, estimated, most_cost: cost }: BatchCheck) {
  if (faults === 0)
    return (
      <>
        <strong className="font-medium text-good">{formatCount(rows, "row")} checked</strong>,{" "}
        {estimateWords(estimated)}, {mostCostWords(cost)}.
      </>
    );
  return (
    <>
      <strong className="font-medium text-bad">{formatCount(faults, "error")} found</strong>
      {rows > 0 && ` in ${formatCount(rows, "row")}`}. Nothing was run.
    </>
  );
}
