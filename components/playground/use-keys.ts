"use client";

import { useEffect, useRef } from "react";

interface Keys {
  onRun: () => void;
  /** Null while there is nothing to stop. */
  onStop: (() => void) | null;
}

/** Esc first closes an open menu. Tooltips are manual popovers, so Esc stops the run even if one is open. */
const openMenu = "[popover=auto]:popover-open";

/** Ctrl/Cmd+Enter runs from anywhere on the page. Esc stops a stream and keeps its text. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        if (!event.repeat) latest.current.onRun();
      } else if (event.key === "Escape" && latest.current.onStop && !document.querySelector(openMenu)) {
        event.preventDefault();
        latest.current.onStop();
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
