"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import type { List } from "#contract/list.ts";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { useShortcuts } from "@/components/ui/page/use-shortcuts";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import type { GatewayFailure } from "@/lib/gateway/result";
import type { ListView } from "@/lib/list-view";
import { Pager, type TotalOf } from "./pager.tsx";
import { useHeldList } from "./use-held-list.ts";
import { type DescribedList, useListView } from "./use-list-view.ts";

const NewRows = dynamic(() => import("./new-rows.tsx").then((module) => module.NewRows), { ssr: false });

interface LiveListOptions<Row, Name extends string, Query> {
  /** The list's description in `lib/lists.ts`. */
  list: DescribedList<Name> & { queryOf: (view: ListView<Name>, nowMs: number) => Query };
  /** The server's first page, or why it could not be read. */
  initial: { query: Query; list: List<Row> | GatewayFailure };
  queryKey: (query: Query) => readonly unknown[];
  read: (query: Query, signal: AbortSignal) => Promise<List<Row>>;
  /** When to read again. False: never automatically. */
  everyMs: (rows: readonly Row[], isNewest: boolean) => number | false;
  /** True while the reader is working with the rows, wherever the focus is. */
  isBusy?: boolean;
  /** False for a list that shows changes at once, also while somebody reads it. */
  holds?: boolean;
}

/**
 * A list with its view in the URL, which updates itself and keeps its rows in place while somebody reads them.
 * J and K move between rows.
 */
export function useLiveList<Row extends { id: string }, Name extends string, Query extends object>(
  options: LiveListOptions<Row, Name, Query>,
) {
  const { list: described, initial, queryKey, read, everyMs, isBusy = false, holds = true } = options;
  const filtered = useListView(described);
  const { view } = filtered;
  const query = described.queryOf(view, Date.now());
  const isNewest = !view.after && !view.before;
  const [paused, setPaused] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const [first, firstFailure] = "data" in initial.list ? [initial.list, null] : [undefined, initial.list];
  const isInitial = JSON.stringify(query) === JSON.stringify(initial.query);
  const { data, error, refetch, isPlaceholderData, dataUpdatedAt } = useQuery({
    queryKey: queryKey(query),
    queryFn: ({ signal }) => read(query, signal),
    ...(isInitial && first && { initialData: first }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: !paused,
    refetchInterval: ({ state }) => (paused ? false : everyMs(state.data?.data ?? [], isNewest)),
  });
  const held = useHeldList({
    list: isPlaceholderData ? undefined : data,
    updatedAtMs: dataUpdatedAt,
    // Unlike the query, the view stays the same while time passes.
    scope: JSON.stringify(view),
    container,
    isBusy,
  });
  useRowKeys(container);
  const shown = (isNewest && holds && held.list) || data;
  return {
    ...filtered,
    query,
    isNewest,
    /** Undefined until the first read. */
    list: shown,
    rows: shown?.data ?? [],
    failure: failureBehind(error) ?? (shown ? null : firstFailure),
    isOld: isPlaceholderData,
    live: { paused, onChange: setPaused, updatedAtMs: dataUpdatedAt },
    /** New rows that wait for a click. */
    waiting: isNewest && holds ? held.waiting : 0,
    release: held.release,
    refresh: () => {
      held.release();
      void refetch();
    },
    container,
  };
}

interface LiveRowsProps {
  list: Omit<ReturnType<typeof useLiveList>, "view" | "change">;
  total: Omit<TotalOf, "query">;
  /** Number of visible rows, if the page hides some. */
  count?: number;
  children: ReactNode;
}

/** The rows of a live list with the button for new rows and the pager, and above them why it could not be read. */
export function LiveRows({ list: live, total, count = live.rows.length, children }: LiveRowsProps) {
  const { list, query, failure, isOld, waiting, release, refresh, container } = live;
  return (
    <>
      {failure && (
        <div className="mb-3">
          <ErrorPanel error={failure} onRetry={refresh} />
        </div>
      )}
      <div role="status" className="contents">
        {waiting > 0 && <NewRows count={waiting} container={container} onShow={release} />}
      </div>
      <div ref={container} aria-busy={isOld}>
        {children}
      </div>
      {list && <Pager list={list} count={count} total={{ ...total, query }} />}
    </>
  );
}

/** J and K move through the row links inside `container`. Enter then opens one, like any link. */
function useRowKeys(container: RefObject<HTMLElement | null>): void {
  const move = (step: 1 | -1) => {
    const links = [...(container.current?.querySelectorAll<HTMLElement>("a[data-row-link]") ?? [])];
    const current = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
    const next = current === -1 ? (step === 1 ? 0 : links.length - 1) : current + step;
    links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
  };
  useShortcuts({ j: () => move(1), k: () => move(-1) });
}
