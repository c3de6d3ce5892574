"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ContentSearch, FoundContent } from "#contract/contents.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Button, LinkButton } from "@/components/ui/button";
import { IdChip } from "@/components/ui/id-chip";
import { RowAnchor } from "@/components/ui/list/row-anchor";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { MetadataPairs } from "@/components/ui/metadata-pairs";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { Time } from "@/components/ui/time";
import { failureBehind, fetchRoute, GatewayCallError } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import type { requestList } from "@/lib/request-list";
import type { Words } from "@/messages/words";
import { RequestCaller } from "./request-parts.tsx";

interface FoundContentsProps {
  words: string;
  /** How often the reader asked to search anew. */
  refreshes: number;
  /** The list's filter at that moment, with the gateway's names. */
  filterAt: (nowMs: number) => ReturnType<typeof requestList.filterOf>;
  /** The names of keys and members, by id. */
  names: Record<string, string>;
  /** The list's filters as `?key_id=…`, for the links of the rows. */
  search: string;
  onClear: () => void;
}

/** An account runs one search at a time, so one that follows another waits for its end. */
const tries = 5;
const waitMs = 400;

/** The calls with these words. Each request reads for a second, and a button continues from there. */
export function FoundContents({ words, refreshes, filterAt, names, search, onClear }: FoundContentsProps) {
  const t = useWords("requests");
  const [filter] = useState(() => filterAt(Date.now()));
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: queryKeys.contentSearch({ words, refreshes, ...filter }),
    queryFn: ({ pageParam, signal }) =>
      fetchRoute("GET /contents/search", {
        query: { ...filter, query: words, ...(pageParam && { after: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }: ContentSearch) => next,
    retry: (failures, cause) =>
      cause instanceof GatewayCallError && cause.failure.code === "contents_search_running"
        ? failures < tries
        : false,
    retryDelay: waitMs,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failure = failureBehind(error);
  const pages = data?.pages ?? [];
  const rows = pages.flatMap((page) => page.data);
  return (
    <div className="flex flex-col gap-3" aria-busy={isFetching}>
      <p role="status" className="text-table text-muted empty:hidden">
        {isFetching ? t("searching") : data && <Extent pages={pages} found={rows.length} />}
      </p>
      {!data && isFetching && <Skeleton className="h-40" />}
      {rows.length > 0 && (
        <RowsTable label={t("foundContents")} rows={rows} columns={columnsOf(t, words, names, search)} />
      )}
      {data && rows.length === 0 && !hasNextPage && <NoneFound onClear={onClear} />}
      {failure && <ErrorPanel error={failure} onRetry={() => void (data ? fetchNextPage() : refetch())} />}
      {hasNextPage && !failure && (
        <Button className="self-start" busy={isFetching} onClick={() => void fetchNextPage()}>
          {t("searchOlderContents")}
        </Button>
      )}
    </div>
  );
}

function NoneFound({ onClear }: Pick<FoundContentsProps, "onClear">) {
  const t = useWords("requests");
  return useAccess().keepsContents === "off" ? (
    <EmptyState
      title={t("thisAccountKeepsNoContents")}
      body={t("ifThisInstallationKeepsContents")}
      action={<LinkButton href="/settings#contents">{t("openSettings")}</LinkButton>}
    />
  ) : (
    <EmptyState
      title={t("noKeptContentHasAll")}
      body={t("theSearchReadsContentsOf")}
      action={<Button onClick={onClear}>{t("clearFilters")}</Button>}
    />
  );
}

/** How many contents were read, and until when. */
function Extent({ pages, found }: { pages: readonly ContentSearch[]; found: number }) {
  const t = useWords("requests");
  const read = pages.reduce((sum, page) => sum + page.read, 0);
  const until = pages.findLast((page) => page.read_until !== null)?.read_until ?? null;
  const isWhole = pages.at(-1)?.next == null;
  return (
    <>
      {t.rich(
        isWhole ? "matchesInAll" : "matchesBackTo",
        { found, read },
        { time: () => <Time key="time" value={until} mode="absolute" /> },
      )}
    </>
  );
}

const columnsOf = (
  t: Words<"requests">,
  words: string,
  names: Record<string, string>,
  search: string,
): readonly Column<FoundContent>[] => [
  { head: t("when"), cell: (row) => <Time value={row.created_at} /> },
  {
    head: t("found"),
    cellClass: "w-full",
    cell: (row) => (
      <>
        {row.request_id === null ? (
          <span className="wrap-anywhere">{marked(row.excerpt, words)}</span>
        ) : (
          <RowAnchor
            href={`/requests/${row.request_id}${search}`}
            className="wrap-anywhere hover:text-accent"
          >
            {marked(row.excerpt, words)}
          </RowAnchor>
        )}
        {row.request_id === null && (
          <span className="block text-meta text-muted">
            {t("withoutARequest")} <IdChip id={row.id} />
          </span>
        )}
        {row.metadata && (
          <span className="mt-0.5 flex flex-wrap gap-1">
            <MetadataPairs metadata={row.metadata} />
          </span>
        )}
      </>
    ),
  },
  {
    head: t("model"),
    from: "tablet",
    cellClass: "font-mono text-meta whitespace-nowrap",
    cell: (row) => row.model,
  },
  { head: t("by"), from: "tablet", cell: (row) => <RequestCaller request={row} names={names} /> },
];

/** The text with the words of the search marked. */
function marked(text: string, words: string) {
  const patterns = words
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const parts = text.split(new RegExp(`(${patterns.join("|")})`, "gi"));
  return parts.map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order
      <mark key={at} className="rounded-sm bg-warn-soft text-ink">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
