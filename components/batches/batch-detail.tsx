"use client";

import dynamic from "next/dynamic";
import { useEffect } from "react";
import type { Batch } from "#contract/batches.ts";
import { MoneyUse } from "@/components/keys/money-use";
import { Badge } from "@/components/ui/badge";
import { IdChip } from "@/components/ui/id-chip";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { batchTitle, costLabel, progressLabel } from "@/lib/batches/labels";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { formatCount } from "@/lib/format";
import { batchLook } from "@/lib/status/batch";
import { makerName } from "@/lib/team/maker";
import { BatchActions, BatchNotices } from "./batch-actions.tsx";
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
  const { data: batch, error, refetch } = useBatch(initial);
  const look = batchLook(batch.status);
  const failure = failureBehind(error);
  const title = batchTitle(batch);
  const by = makerName(batch.made_by);

  useEffect(() => {
    document.title = `Batch ${title} · Gatehouse`;
  }, [title]);

  return (
    <div data-wide>
      <PageHeader title={title} actions={<BatchActions batch={batch} accountId={accountId} />} />
      <div className="-mt-3 mb-4 flex flex-wrap items-center gap-2">
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
        <IdChip id={batch.id} />
        {batch.models.map((model) => (
          <Badge key={model}>{model}</Badge>
        ))}
        <Badge>{batch.api_type}</Badge>
        {batch.openai && <Badge>OpenAI {batch.openai.endpoint}</Badge>}
        {Object.entries(batch.openai?.metadata ?? {}).map(([name, value]) => (
          <Badge key={name}>{`${name}: ${value}`}</Badge>
        ))}
        <span className="text-table text-muted">
          started <Time value={batch.created_at} />
          {by && ` by ${by}`}
        </span>
        <span role="status" className="sr-only">
          Batch status: {look.label}
        </span>
      </div>
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
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
