"use client";

import { useQuery } from "@tanstack/react-query";
import type { Prediction } from "#contract/prediction.ts";
import { pollInterval } from "@/components/predictions/poll-interval";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { Run } from "@/lib/browser/runs/run";
import type { GatewayFailure } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";

export interface RunPrediction {
  /** Null until the prediction has been read, and for runs that are not predictions. */
  prediction: Prediction | null;
  failure: GatewayFailure | null;
  onRetry: () => void;
}

/** The prediction that an async run started, read again until it ends. */
export function useRunPrediction({ output }: Run): RunPrediction {
  const id = output?.kind === "prediction" ? output.id : null;
  const query = useQuery({
    queryKey: queryKeys.prediction(id ?? ""),
    enabled: id !== null,
    queryFn: ({ signal }) => fetchRoute("GET /predictions/{id}", { params: { id: id ?? "" }, signal }),
    refetchInterval: ({ state }) => (state.data ? pollInterval(state.data, Date.now()) : false),
  });
  return {
    prediction: (id !== null && query.data) || null,
    failure: query.error ? failureBehind(query.error) : null,
    onRetry: () => void query.refetch(),
  };
}
