"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight } from "lucide-react";
import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import { CancelButton } from "@/components/predictions/cancel-button";
import { FailurePanel } from "@/components/predictions/failure-panel";
import { Keeping } from "@/components/predictions/keeping";
import { OutputPanel } from "@/components/predictions/output-panel";
import { pollInterval } from "@/components/predictions/poll-interval";
import { PredictionStatus } from "@/components/predictions/prediction-status";
import { LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { IdChip } from "@/components/ui/id-chip";
import { Skeleton } from "@/components/ui/skeleton";
import { failureBehind, fetchFromGateway } from "@/lib/browser/fetch-from-gateway";
import { formatDuration } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { predictionLook } from "@/lib/status/prediction";

/** An async run, followed to its end beside its input; its own page tells the whole story. */
export function PredictionView({ id }: { id: string }) {
  const query = useQuery({
    queryKey: queryKeys.prediction(id),
    queryFn: ({ signal }) => fetchFromGateway<Prediction>(`/predictions/${id}`, { signal }),
    refetchInterval: ({ state }) => (state.data ? pollInterval(state.data, Date.now()) : false),
  });
  const failure = query.error ? failureBehind(query.error) : null;
  const prediction = query.data;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p role="status" className="sr-only">
        {prediction && spokenStatus(prediction.status)}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {prediction && <PredictionStatus status={prediction.status} progress={prediction.progress} />}
        {prediction?.metrics.total_time != null && (
          <span className="tabular text-meta text-muted">
            {formatDuration(prediction.metrics.total_time * 1000)}
          </span>
        )}
        <IdChip id={id} href={`/predictions/${id}`} />
        <span className="ml-auto flex gap-2">
          {prediction && !isTerminal(prediction.status) && <CancelButton prediction={prediction} />}
          <LinkButton href={`/predictions/${id}`} icon={<ArrowUpRight size={16} aria-hidden />}>
            Open prediction
          </LinkButton>
        </span>
      </div>
      {failure && <ErrorPanel error={failure} onRetry={() => void query.refetch()} />}
      {!prediction && !failure && <Skeleton className="h-56 w-full" />}
      {prediction?.error && <FailurePanel prediction={prediction} />}
      {prediction && !prediction.error && <OutputPanel prediction={prediction} />}
      {prediction && <Keeping prediction={prediction} />}
    </div>
  );
}

function spokenStatus(status: string): string {
  const { terminal, label } = predictionLook(status);
  return terminal ? `Prediction finished: ${label}` : `Prediction status: ${label}`;
}
