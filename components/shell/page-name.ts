"use client";

import { useEffect, useSyncExternalStore } from "react";

/** The title of every page ends with this text, after the page's name. */
export const titleSuffix = " · Gatehouse";

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
    show(name);
    let own = document.title;
    let shown: string | null = null;
    // The router sets the page's own title again when the address changes.
    const rename = () => {
      if (document.title === shown) return;
      own = document.title;
      document.title = `${name}${titleSuffix}`;
      // Read back, because browsers leave out spaces.
      shown = document.title;
    };
    rename();
    const observer = new MutationObserver(rename);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      show(null);
      document.title = own;
    };
  }, [name]);
}
