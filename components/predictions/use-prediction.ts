"use client";

import { useQuery } from "@tanstack/react-query";
import type { Prediction } from "#contract/prediction.ts";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { pollInterval } from "./poll-interval.ts";

/** The prediction, kept fresh until nothing can change any more; polling rests while the page is hidden. */
export function usePrediction(initial: Prediction) {
  return useQuery({
    queryKey: queryKeys.prediction(initial.id),
    queryFn: ({ signal }) => fetchRoute("GET /predictions/{id}", { params: { id: initial.id }, signal }),
    initialData: initial,
    refetchInterval: (query) => pollInterval(query.state.data, Date.now()),
  });
}
