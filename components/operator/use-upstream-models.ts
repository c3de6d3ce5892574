"use client";

import { useQuery } from "@tanstack/react-query";
import { failureBehind, fetchRoute } from "@/lib/browser/gateway";
import { useDebouncedText } from "./use-debounced-text.ts";

const keptMs = 60_000;

/**
 * A provider's models, searched by a part of the name while the user types. Without a provider, nothing is
 * sent.
 */
export function useUpstreamModels(providerId: string | null, text: string) {
  const query = useDebouncedText(text.trim());
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["operator", "upstream-models", providerId, query],
    queryFn: ({ signal }) =>
      fetchRoute("GET /operator/providers/{id}/models", {
        params: { id: providerId ?? "" },
        query: { q: query },
        signal,
      }),
    enabled: providerId !== null,
    staleTime: keptMs,
    retry: false,
    placeholderData: (previous) => previous,
  });
  return { list: data, failure: failureBehind(error), busy: isFetching, refetch };
}
