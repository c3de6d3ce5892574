"use client";

import dynamic from "next/dynamic";
import type { Batch } from "#contract/batches.ts";
import { MoneyUse } from "@/components/keys/money-use";
import { Badge } from "@/components/ui/badge";
import { costLabel, progressLabel } from "@/lib/batches/labels";
import { formatCount } from "@/lib/format";
import { BatchHead, BatchNotices } from "./batch-actions.tsx";
import { BatchBar } from "./batch-bar";
import { BatchRows } from "./batch-rows";
import { useBatch } from "./use-batch";

const ComparisonResults = dynamic(
  () => import("@/components/compare/comparison-results").then((module) => module.ComparisonResults),
  { loading: () => null },
);

interface BatchDetailProps {
  initial: Batch;
  accountId: string;
  /** The gateway's public address, which ends with `/v1`. */
  baseUrl: string;
}

/** One batch over a table: its progress, the actions, and its rows with their results. */
export function BatchDetail({ initial, accountId, baseUrl }: BatchDetailProps) {
  const reading = useBatch(initial);
  const batch = reading.data;
  return (
    <div data-wide>
      <BatchHead reading={reading} accountId={accountId}>
        {batch.models.map((model) => (
          <Badge key={model}>{model}</Badge>
        ))}
        <Badge>{batch.api_type}</Badge>
        {batch.openai && <Badge>OpenAI {batch.openai.endpoint}</Badge>}
        {Object.entries(batch.openai?.metadata ?? {}).map(([name, value]) => (
          <Badge key={name}>{`${name}: ${value}`}</Badge>
        ))}
      </BatchHead>
      <BatchNotices batch={batch} />
      <div className="mb-5">
        <p className="tabular mb-1 flex flex-wrap justify-between gap-2 text-table">
          <span>{progressLabel(batch.counts)}</span>
          <span className="text-muted">
            {formatCount(batch.usage.quantity, batch.usage.unit)} used, {costLabel(batch)},{" "}
            {batch.concurrency} at the same time
          </span>
        </p>
        <BatchBar counts={batch.counts} label="Rows of this batch" />
        <MoneyUse budgets={batch.budgets} />
      </div>
      {batch.models.length > 1 ? (
        <ComparisonResults batch={batch} baseUrl={baseUrl} />
      ) : (
        <BatchRows batch={batch} />
      )}
    </div>
  );
}
