import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";

/** The query for the stored and kept files of a run, which all parts of a page share. */
export function outputsOfRun(runId: string) {
  return {
    queryKey: queryKeys.outputsOf(runId),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      fetchRoute("GET /outputs", { query: { prediction_id: runId }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  };
}
