"use client";

import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { List } from "#contract/list.ts";
import type { Output } from "#contract/outputs.ts";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { galleryList } from "@/lib/lists";
import { queryKeys } from "@/lib/query-keys";

type Pages = InfiniteData<List<Output>, string | null>;

interface OutputsOptions {
  /** What is shown, as the address has it: another one is another gallery. */
  scope: string;
  filter: () => ReturnType<typeof galleryList.filterOf>;
  /** The first page as the server found it. */
  initial: { scope: string; list: List<Output> };
}

const pageRows = 100;
const askEveryMs = 5_000;
/** How many of the newest are asked for again, because runs that end together may be listed in another order than they ended in. */
const askedAgain = 20;

/** The files of a gallery, a page after the other, and the new ones that wait to be shown. Kept for the way back to it. */
export function useOutputs({ scope, filter, initial }: OutputsOptions) {
  const client = useQueryClient();
  const [paused, setPaused] = useState(false);
  const queryKey = queryKeys.gallery(scope);
  const read = (place: { after?: string; before?: string }, signal: AbortSignal) =>
    fetchRoute("GET /outputs", { query: { ...filter(), limit: pageRows, ...place }, signal });
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam === null ? {} : { after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ has_more, last_id }) => (has_more ? last_id : null),
    ...(initial.scope === scope && { initialData: { pages: [initial.list], pageParams: [null] } }),
    // What was read stays: to compare thousands of rows with themselves would stop the page.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const files = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const newest = files.slice(0, askedAgain);
  const before = newest.at(-1)?.id;
  const news = useQuery({
    queryKey: [...queryKey, "since", before],
    queryFn: ({ signal }) => read(before === undefined ? {} : { before }, signal),
    enabled: pages.data !== undefined && !paused,
    refetchInterval: askEveryMs,
  });
  const known = new Set(newest.map(({ id }) => id));
  const waiting = news.data?.data.filter(({ id }) => !known.has(id)) ?? [];
  return {
    files,
    waiting: waiting.length,
    /** When it was last known whether there are new ones. */
    updatedAtMs: news.dataUpdatedAt || pages.dataUpdatedAt,
    /** Puts the new ones at the start. */
    take: () => {
      if (waiting.length > 0) client.setQueryData<Pages>(queryKey, (data) => data && withNew(data, waiting));
    },
    isReading: pages.isPending,
    hasMore: pages.hasNextPage,
    readMore: () => {
      if (pages.hasNextPage && !pages.isFetching) void pages.fetchNextPage();
    },
    isReadingMore: pages.isFetchingNextPage,
    failure: failureBehind(pages.error ?? news.error),
    retry: () => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch()),
    live: { paused, onChange: setPaused },
  };
}

function withNew({ pages, pageParams }: Pages, waiting: readonly Output[]): Pages {
  const [first, ...others] = pages;
  if (!first) return { pages, pageParams };
  const data = [...waiting, ...first.data].sort((one, other) => (one.id < other.id ? 1 : -1));
  return { pages: [{ ...first, data }, ...others], pageParams };
}
