"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { usePlace } from "@/components/ui/page/use-place";
import { LinkButton } from "../button.tsx";
import { ListTotal, type TotalOf } from "./list-total.tsx";

interface PagerProps {
  hasMore: boolean;
  /** Ids of the first and the last row of this page (`first_id`, `last_id` of the list). */
  first: string | null;
  last: string | null;
  /** Rows on this page, to say what is shown. */
  count?: number;
  /** Where the list is counted. */
  total?: TotalOf;
}

/** Keyset paging: the page's place is `after` or `before` in the URL, next to the filters. */
export function Pager({ hasMore, first, last, count, total }: PagerProps) {
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
      {count !== undefined && (
        <span className="tabular mr-auto text-table text-muted">
          {total ? <ListTotal {...total} count={count} isAll={isAll} /> : `${count} on this page`}
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
