"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useSearchParams } from "next/navigation";
import type { List } from "#contract/list.ts";
import type { PageRoute, ParamOf, QueryOf } from "#contract/routes/client.ts";
import { useWords } from "#words";
import { usePlace } from "@/components/ui/page/link";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import type { Noun } from "@/messages/words";
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
  const t = useWords("ui");
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
    <nav aria-label={t("pagesOfList")} className="mt-3 flex items-center gap-2">
      {total && (
        <span className="tabular mr-auto text-table text-muted">
          <ListTotal {...total} count={count} isAll={isAll} />
        </span>
      )}
      {hasNewer && first && (
        <LinkButton size="sm" href={hrefOf("before", first)} icon={<ChevronLeft size={14} aria-hidden />}>
          {t("newer")}
        </LinkButton>
      )}
      {hasOlder && last && (
        <LinkButton size="sm" href={hrefOf("after", last)}>
          {t("older")}
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
  noun: Noun;
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
function ListTotal({ route, query = {}, noun, count, isAll }: ListTotalProps) {
  const t = useWords("ui");
  const nouns = useWords("nouns");
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
  if (isAll) return t("total", { count, noun: nouns(noun, { count }) });
  if (!data) return t("onThisPage", { count });
  const shown = { shown: count, total: data.count, noun: nouns(noun, { count: data.count }) };
  return data.more ? t("shownOfMore", shown) : t("shownOf", shown);
}
