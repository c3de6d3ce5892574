"use client";

import { useEffect } from "react";
import { isTyping } from "@/components/shell/use-shortcuts";
import { usePageRouter, usePlace } from "@/components/ui/page/use-place";
import { returnFrom } from "./row-return.ts";

/** What Esc closes first. */
const openLayer = "dialog[open], :popover-open";

/** On the page of a row: Esc goes back to the list, and to the row in it. `list` is for a page opened by its address. */
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
