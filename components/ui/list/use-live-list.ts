"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import type { List } from "#contract/list.ts";
import { useShortcuts } from "@/components/ui/page/use-shortcuts";
import { failureBehind } from "@/lib/browser/fetch-from-gateway";
import { useHeldList } from "./use-held-list.ts";

interface LiveListOptions<Row, Query> {
  /** The query of the current page. */
  query: Query;
  /** The key of this query in the browser's cache. */
  queryKey: readonly unknown[];
  read: (signal: AbortSignal) => Promise<List<Row>>;
  /** The server's first page. Undefined if it could not be read. */
  initial: { query: Query; list: List<Row> | undefined };
  /** Identifies the filters and the page. Unlike `query`, it stays the same while time passes. */
  scope: string;
  isNewest: boolean;
  /** When to read again. False: never automatically. */
  everyMs: (rows: readonly Row[]) => number | false;
  container: RefObject<HTMLElement | null>;
  /** True while the reader is working with the rows, wherever the focus is. */
  isBusy?: boolean;
}

/**
 * A live page of a list that keeps its rows in place while somebody reads them. J and K move between rows.
 */
export function useLiveList<Row extends { id: string }, Query>(options: LiveListOptions<Row, Query>) {
  const { query, queryKey, read, initial, scope, isNewest, everyMs, container, isBusy = false } = options;
  const [paused, setPaused] = useState(false);
  const isInitial = JSON.stringify(query) === JSON.stringify(initial.query);
  const { data, error, refetch, isPlaceholderData, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    ...(isInitial && initial.list && { initialData: initial.list }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: !paused,
    refetchInterval: ({ state }) => (paused ? false : everyMs(state.data?.data ?? [])),
  });
  const held = useHeldList({
    list: isPlaceholderData ? undefined : data,
    updatedAtMs: dataUpdatedAt,
    scope,
    container,
    isBusy,
  });
  useRowKeys(container);
  return {
    /** Undefined until the first read. */
    list: (isNewest && held.list) || data,
    failure: failureBehind(error),
    isOld: isPlaceholderData,
    live: { paused, onChange: setPaused, updatedAtMs: dataUpdatedAt },
    /** New rows that wait for a click. */
    waiting: isNewest ? held.waiting : 0,
    release: held.release,
    refresh: () => {
      held.release();
      void refetch();
    },
  };
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
