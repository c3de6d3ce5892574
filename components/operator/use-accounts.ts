import { useQuery } from "@tanstack/react-query";
import { useWords } from "#words";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { useDebouncedText } from "./use-debounced-text.ts";

const keptMs = 60_000;

function useAccounts(query: { q: string } | { ids: string }, enabled = true) {
  return useQuery({
    queryKey: ["operator", "accounts", query],
    queryFn: ({ signal }) => fetchRoute("GET /operator/accounts", { query, signal }),
    enabled,
    staleTime: keptMs,
    retry: false,
    placeholderData: (previous) => previous,
  });
}

/** Searches accounts by a part of their name while the user types. */
export function useAccountSearch(text: string) {
  const { data, error, isFetching } = useAccounts({ q: useDebouncedText(text.trim()) });
  return { list: data, failure: failureBehind(error), busy: isFetching };
}

/** Names of accounts by id. */
export function useAccountNames(ids: readonly string[]): (id: string) => string {
  const t = useWords("operator");
  const { data, isPlaceholderData } = useAccounts({ ids: [...ids].sort().join() }, ids.length > 0);
  const names = new Map(data?.data.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? (data && !isPlaceholderData ? t("deletedAccount") : "…");
}
