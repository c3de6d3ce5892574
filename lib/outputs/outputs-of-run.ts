import { useQuery } from "@tanstack/react-query";
import type { List } from "#contract/list.ts";
import type { Output } from "#contract/outputs.ts";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { queryKeys } from "@/lib/query-keys";

/** The earliest time at which a kept file is removed. Null: each stays until somebody removes it. */
export function firstKeptUntil(kept: readonly Output[]): string | null {
  return kept.flatMap(({ kept_until: until }) => until ?? []).sort()[0] ?? null;
}

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

type Options = Pick<Parameters<typeof useQuery<List<Output>>>[0], "refetchInterval" | "enabled">;

/**
 * The stored and kept files of a run. A part of the page that is hydrated late shows them only after
 * hydration: another part may have loaded them already, but the server's HTML does not contain them.
 */
export function useOutputsOfRun(runId: string, options: Options = {}) {
  const isHydrated = useHydrated();
  const { data, error, refetch } = useQuery({ ...outputsOfRun(runId), ...options });
  return isHydrated ? { data, error, refetch } : { data: undefined, error: null, refetch };
}
