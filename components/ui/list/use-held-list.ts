"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import type { List } from "#contract/list.ts";

interface HeldListOptions<Row> {
  /** The newest page as last read. */
  list: List<Row> | undefined;
  updatedAtMs: number;
  /** Identifies the filters and the page: with another `scope`, the rows are another list. */
  scope: string;
  container: RefObject<HTMLElement | null>;
  /** True while the reader is working with the rows, wherever the focus is. */
  isBusy?: boolean;
}

/**
 * A live list whose rows do not move while somebody reads them: rows update in place, and new rows wait for a
 * click. Otherwise new rows appear automatically.
 */
export function useHeldList<Row extends { id: string }>(options: HeldListOptions<Row>) {
  const { list, updatedAtMs, scope, container, isBusy = false } = options;
  const [read, setRead] = useState<{ scope: string; list: List<Row> } | null>(null);
  const held = read?.scope === scope ? read.list : null;
  const waiting = list && held?.first_id ? newerThan(held.first_id, list).length : 0;

  const follow = useRef(() => {});
  follow.current = () => {
    if (!list) return;
    const isRead = isBusy || isBeingRead(container.current);
    if (waiting === 0 || !isRead) setRead({ scope, list });
  };
  // After each answer, decides whether somebody is reading the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is an occasion even when it brings nothing new.
  useEffect(() => follow.current(), [updatedAtMs, scope]);

  return {
    list: list && held && waiting > 0 ? withNewStates(held, list) : list,
    waiting,
    /** Shows everything, including the next answer. */
    release: () => setRead(null),
  };
}

function newerThan<Row extends { id: string }>(id: string, { data }: List<Row>): Row[] {
  return data.filter((row) => row.id > id);
}

function withNewStates<Row extends { id: string }>(held: List<Row>, list: List<Row>): List<Row> {
  const now = new Map(list.data.map((row) => [row.id, row]));
  return { ...held, data: held.data.map((row) => now.get(row.id) ?? row) };
}

/** Whether the list is scrolled, has the pointer, or has the focus. */
export function isBeingRead(container: HTMLElement | null): boolean {
  if (!container) return false;
  const isScrolledInto = container.getBoundingClientRect().top < 0;
  return isScrolledInto || container.matches(":hover") || container.contains(document.activeElement);
}
