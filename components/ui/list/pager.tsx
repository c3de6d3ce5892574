"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useSearchParams } from "next/navigation";
import type { Counted, List } from "#contract/list.ts";
import type { PageRoute, ParamOf, QueryOf } from "#contract/routes/client.ts";
import { usePlace } from "@/components/ui/page/link";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatCount, formatNumber } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { LinkButton } from "../button.tsx";

interface PagerProps {
  list: Pick<List<unknown>, "data" | "has_more" | "first_id" | "last_id">;
  /** Number of visible rows, if the page hides some. */
  count?: number;
  /** The route that counts the list. Without it, no numbers are shown. */
  total?: TotalOf;
}

/** Keyset paging: `after` or `before` in the URL, beside the filters. */
export function Pager({ list, count = list.data.length, total }: PagerProps) {
  const { has_more: hasMore, first_id: first, last_id: last } = list;
  const { path: pathname } = usePlace();
  const search = useSearchParams();
  const backwards = search.has("before");
  const hasOlder = backwards || hasMore;
  const hasNewer = backwards ? hasMore : search.has("after");
  const isAll = !hasOlder && !hasNewer;
  if (isAll && (!total || count === 0)) return null;

  const hrefOf = (cursor: "after" | "before", id: string) => {
    const next = new URLSearchParams(search);
    next.delete("after");
    next.delete("before");
    next.set(cursor, id);
    return `${pathname}?${next}`;
  };

  return (
    <nav aria-label="Pages of this list" className="mt-3 flex items-center gap-2">
      {total && (
        <span className="tabular mr-auto text-table text-muted">
          <ListTotal {...total} count={count} isAll={isAll} />
        </span>
      )}
      {hasNewer && first && (
        <LinkButton size="sm" href={hrefOf("before", first)} icon={<ChevronLeft size={14} aria-hidden />}>
          Newer
        </LinkButton>
      )}
      {hasOlder && last && (
        <LinkButton size="sm" href={hrefOf("after", last)}>
          Older
          <ChevronRight size={14} aria-hidden />
        </LinkButton>
      )}
    </nav>
  );
}

/** The route that counts a list, and the query of its page. */
export interface TotalOf {
  route: CountedRoute;
  query?: object;
  /** Singular of the counted items, e.g. `prediction`. */
  noun: string;
  plural?: string;
}

/** The routes that list rows with pages and can count them. */
type CountedRoute = {
  [Name in PageRoute]: "count" extends keyof QueryOf<Name>
    ? [ParamOf<Name>] extends [never]
      ? Name
      : never
    : never;
}[PageRoute];

interface ListTotalProps extends TotalOf {
  /** Rows on this page. */
  count: number;
  /** Whether these are all rows. */
  isAll: boolean;
}

const staleMs = 30_000;

/**
 * The total number of rows. If this page does not contain all of them, they are counted after the page is
 * shown.
 */
function ListTotal({ route, query = {}, noun, plural = `${noun}s`, count, isAll }: ListTotalProps) {
  const { limit: _, after: __, before: ___, ...filter } = query as Record<string, never>;
  const { data } = useQuery({
    queryKey: queryKeys.total(route, filter),
    queryFn: async ({ signal }) => {
      // All routes of this type accept the filter and these two parameters.
      const counting = { ...filter, count: true, limit: 1 };
      const { total } = await fetchRoute(route as "GET /predictions", { query: counting, signal });
      return total ?? null;
    },
    enabled: !isAll,
    staleTime: staleMs,
    placeholderData: (previous) => previous,
  });
  if (isAll) return formatCount(count, noun, plural);
  return data ? `${count} of ${formatTotal(data, noun, plural)}` : `${count} on this page`;
}

function formatTotal({ count, more }: Counted, noun: string, plural: string): string {
  return more ? `more than ${formatNumber(count)} ${plural}` : formatCount(count, noun, plural);
}
