"use client";

import { useQuery } from "@tanstack/react-query";
import type { Counted } from "#contract/counted.ts";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatCount, formatNumber } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";

/** What a list's total is asked of: its route, and the query of its page. */
export interface TotalOf {
  route: CountedRoute;
  query?: object;
  /** What is counted, e.g. `prediction`. */
  noun: string;
  plural?: string;
}

type CountedRoute =
  | "GET /account/invitations"
  | "GET /audit_logs"
  | "GET /batches"
  | "GET /connections"
  | "GET /copies"
  | "GET /destinations"
  | "GET /keys"
  | "GET /notices"
  | "GET /operator/changes"
  | "GET /outputs"
  | "GET /predictions"
  | "GET /requests"
  | "GET /shares"
  | "GET /uploads"
  | "GET /webhooks/deliveries"
  | "GET /webhooks/endpoints";

interface ListTotalProps extends TotalOf {
  /** Rows on this page. */
  count: number;
  /** Whether that is all. */
  isAll: boolean;
}

const staleMs = 30_000;

/** How many there are in all. Where that is not known from the page, it is asked once the page is there. */
export function ListTotal({ route, query = {}, noun, plural = `${noun}s`, count, isAll }: ListTotalProps) {
  const { limit: _, after: __, before: ___, ...filter } = query as Record<string, never>;
  const { data } = useQuery({
    queryKey: queryKeys.total(route, filter),
    queryFn: async ({ signal }) => {
      // Every one of these routes takes its filter, and these two.
      const counting = { ...filter, count: true, limit: 1 };
      const { total } = await fetchRoute(route as "GET /predictions", { query: counting, signal });
      return total ?? null;
    },
    enabled: !isAll,
    staleTime: staleMs,
    placeholderData: (previous) => previous,
  });
  if (isAll) return formatCount(count, noun, plural);
  return data ? `${count} of ${totalWords(data, noun, plural)}` : `${count} on this page`;
}

function totalWords({ count, more }: Counted, noun: string, plural: string): string {
  return more ? `more than ${formatNumber(count)} ${plural}` : formatCount(count, noun, plural);
}
