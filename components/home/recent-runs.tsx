import type { BatchKind } from "#contract/batch-constants.ts";
import type { Batch } from "#contract/batches.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { RequestRow } from "#contract/usage.ts";
import { useWords } from "#words";
import { predictionHref } from "@/components/predictions/links";
import { StatusPill } from "@/components/ui/badge";
import { RowAnchor } from "@/components/ui/list/row-anchor";
import { Duration } from "@/components/ui/quantity";
import { Time } from "@/components/ui/time";
import { inputTitle } from "@/lib/schema-form/messages";
import { batchLook } from "@/lib/status/batch";
import { predictionLook } from "@/lib/status/prediction";
import { requestOutcome } from "@/lib/status/request";

/** A run, synchronous or a prediction, or all runs of a batch, in one line. */
export interface RecentRun {
  id: string;
  href: string;
  /** The beginning of its prompt. Null if it is not kept: only predictions keep their input. Of a batch, its name. */
  title: string | null;
  model: string;
  /** A batch's number of runs. */
  batch?: { kind: BatchKind; count: number };
  status: string;
  at: string;
  ms: number | null;
}

/**
 * The newest runs, given the newest of each list. No run is there twice: a request that created a prediction is
 * left out, and so are the predictions of a batch, which carry the id of the request that created the batch.
 */
export function recentRuns({ predictions, requests, batches }: NewestRuns, count: number): RecentRun[] {
  const ofBatches = new Set(batches.map(({ request_id }) => request_id));
  const runs = [
    ...batches.map((one) => ({
      ...{ id: one.id, href: `${one.kind === "table" ? "/batches" : "/compare"}/${one.id}`, title: one.name },
      ...{ model: one.models.join(", "), status: one.status, at: one.created_at },
      batch: { kind: one.kind, count: one.counts.total },
      ms: one.finished_at === null ? null : Date.parse(one.finished_at) - Date.parse(one.created_at),
    })),
    ...predictions
      .filter(({ request_id }) => request_id === null || !ofBatches.has(request_id))
      .map((one) => ({
        ...{ id: one.id, href: predictionHref(one.id), title: (one.input && inputTitle(one.input)) ?? null },
        ...{ model: one.model, status: one.status, at: one.created_at },
        ms: one.metrics.total_time === null ? null : one.metrics.total_time * 1000,
      })),
    ...requests
      .filter(({ run_id }) => run_id !== null && !run_id.startsWith("pred_"))
      .map((one) => ({
        ...{ id: one.id, href: `/requests/${one.id}`, title: null, model: one.model ?? one.route },
        ...{ status: requestOutcome(one), at: one.at, ms: one.duration_ms },
      })),
  ];
  return runs.sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, count);
}

interface NewestRuns {
  predictions: readonly Prediction[];
  requests: readonly RequestRow[];
  batches: readonly Batch[];
}

export function RecentRuns({ runs }: { runs: readonly RecentRun[] }) {
  const t = useWords("home");
  const states = useWords("states");
  return (
    <ul aria-label={t("recentRuns")} className="divide-y rounded-panel border bg-panel">
      {runs.map(({ id, href, title, model, batch, status, at, ms }) => {
        const look = batch ? batchLook(states, status) : predictionLook(states, status);
        return (
          <li key={id}>
            <RowAnchor
              href={href}
              className="control-height flex items-center gap-3 px-3 py-0.5 text-table hover:bg-sunken focus-visible:-outline-offset-2!"
            >
              <span className="min-w-0 flex-1 truncate font-medium">
                {title ?? model}
                {batch && (
                  <span className="ml-2 text-meta font-normal text-muted">{t("runsOfBatch", batch)}</span>
                )}
              </span>
              {title && (
                <span className="max-w-2/5 truncate font-mono text-meta text-muted max-tablet:hidden">
                  {model}
                </span>
              )}
              <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
              <span className="min-w-20 text-right text-muted">
                <Time value={at} />
              </span>
              <span className="tabular min-w-14 text-right max-tablet:hidden">
                <Duration ms={ms} />
              </span>
            </RowAnchor>
          </li>
        );
      })}
    </ul>
  );
}
