"use client";

import { useSyncExternalStore } from "react";
import { createFollowed } from "@/lib/browser/followed";

/** The title of every page ends with this text, after the page's name. */
export const titleSuffix = " · Gatehouse";

/** Set by `useNamedPage`. */
export const pageName = createFollowed<string | null>(null);

/** The name of the thing that the page has opened without an address of its own, such as a conversation. */
export function usePageName(): string | null {
  return useSyncExternalStore(pageName.follow, pageName.get, () => null);
}
