"use client";

import { useQuery } from "@tanstack/react-query";
import { hasBatchEnded } from "#contract/batch-constants.ts";
import type { Batch, BatchRowList } from "#contract/batches.ts";
import { fetchRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";

const busyEveryMs = 1_500;
const pausedEveryMs = 10_000;

function everyMs({ status }: Batch): number | false {
  if (hasBatchEnded(status)) return false;
  return status === "paused" ? pausedEveryMs : busyEveryMs;
}

/** A batch, read again until it ends. */
export function useBatch(initial: Batch) {
  return useQuery({
    queryKey: queryKeys.batch(initial.id),
    queryFn: ({ signal }) =>
      fetchRoute("GET /batches/{id}", {
        ...{ params: { id: initial.id }, query: { shape: "gatehouse" } },
        signal,
      }),
    initialData: initial,
    refetchInterval: ({ state }) => everyMs(state.data ?? initial),
  });
}

/** Some rows of a batch in order; read again whenever the counts change. `initial` is shown until they are read. */
export function useBatchRows(
  batch: Batch,
  query: { status?: string; after?: number; limit: number },
  initial: BatchRowList | null = null,
) {
  const { succeeded, failed, canceled, running } = batch.counts;
  const seen = [succeeded, failed, canceled, running].join();
  return useQuery({
    queryKey: queryKeys.batchRows(batch.id, { ...query, seen }),
    queryFn: ({ signal }) =>
      fetchRoute("GET /batches/{id}/rows", { params: { id: batch.id }, query, signal }),
    placeholderData: (before) => before ?? initial ?? undefined,
  });
}
