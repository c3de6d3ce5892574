"use client";

import { useQuery } from "@tanstack/react-query";
import { useFormats, useWords } from "#words";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";

const askEveryMs = 10_000;

/**
 * The number of rows with this status in the last 24 hours, as text. Home shows the same number as a link to
 * the list. Null if the gateway does not count them, or if `status` is null because the list has another
 * filter.
 */
export function useDayCount(kind: "predictions" | "deliveries", status: string | null): string | null {
  const t = useWords("ui");
  const format = useFormats();
  const { data } = useQuery({
    queryKey: queryKeys.summary(),
    queryFn: ({ signal }) => fetchRoute("GET /summary", { signal }),
    enabled: status !== null,
    refetchInterval: askEveryMs,
  });
  const counts: Partial<Record<string, { count: number; more: boolean }>> | null | undefined = data?.[kind];
  const found = status === null ? undefined : counts?.[status];
  return found
    ? t("countInLast24h", { count: `${format.number(found.count)}${found.more ? "+" : ""}` })
    : null;
}
