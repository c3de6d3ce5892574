"use client";

import { useEffect, useSyncExternalStore } from "react";

let current: string | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function show(name: string | null): void {
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

/** Names the page after a thing that it has opened: in its heading, breadcrumb and title. Null: nothing is open. */
export function useNamedPage(name: string | null): void {
  useEffect(() => {
    if (name === null) return;
    const { title } = document;
    show(name);
    document.title = `${name}${title.slice(Math.max(0, title.lastIndexOf(" · ")))}`;
    return () => {
      show(null);
      document.title = title;
    };
  }, [name]);
}
