"use client";

import { useSyncExternalStore } from "react";

/** The title of every page ends with this text, after the page's name. */
export const titleSuffix = " · Gatehouse";

let current: string | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Sets the name that the top bar shows. For `useNamedPage`. */
export function showPageName(name: string | null): void {
  current = name;
  for (const listener of listeners) listener();
}

/** The name of the thing that the page has opened without an address of its own, such as a conversation. */
export function usePageName(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
}
