"use client";

import { useEffect } from "react";
import { isTyping } from "@/components/shell/use-shortcuts";
import { usePageRouter, usePlace } from "@/components/ui/page/link";
import { returnFrom } from "./row-return.ts";

/** While one of these is open, Esc closes it and does not leave the page. */
const openLayer = "dialog[open], :popover-open";

/** For pages that the server renders. */
export function ReturnToRow({ list }: { list: string }) {
  useReturnToRow(list);
  return null;
}

/**
 * On the page of a row, Esc returns to its row in the list. `list` is for pages that were opened by their
 * address.
 */
export function useReturnToRow(list: string): void {
  const router = usePageRouter();
  const { path: page } = usePlace();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || event.repeat) return;
      if (isTyping(event.target) || document.querySelector(openLayer)) return;
      event.preventDefault();
      router.push(returnFrom(page, list));
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [router, page, list]);
}
