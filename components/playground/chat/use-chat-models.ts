"use client";

import { useQuery } from "@tanstack/react-query";
import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import { fetchRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";

const fiveMinutesMs = 5 * 60_000;

/** Models that run the same kind of operation. Null until loaded. */
export function useChatModels(apiType: ApiType, enabled: boolean): CatalogModel[] | null {
  const { data } = useQuery({
    queryKey: [...queryKeys.models(), "of", apiType],
    queryFn: () => fetchRoute("GET /models", { query: { aliases: false } }),
    staleTime: fiveMinutesMs,
    enabled,
  });
  return data?.data.filter(({ api_types: kinds }) => kinds.includes(apiType)) ?? null;
}
