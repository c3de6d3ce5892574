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
  /** The filters in the address: different filters mean a different gallery. */
  scope: string;
  filter: () => ReturnType<typeof galleryList.filterOf>;
  /** The first page, as read by the server. */
  initial: { scope: string; list: List<Output> };
}

const pageRows = 100;
const askEveryMs = 5_000;
/**
 * How many of the newest rows are read again, because runs that end together may be listed in a different
 * order.
 */
const askedAgain = 20;

/**
 * The files of a gallery, page after page, and new ones that wait to be shown. Kept for when the reader
 * returns.
 */
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
    // Keep what was read as it is: comparing thousands of rows with themselves would freeze the page.
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
    /** When we last learned whether there are new files. */
    updatedAtMs: news.dataUpdatedAt || pages.dataUpdatedAt,
    /** Puts the new files at the start. */
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
