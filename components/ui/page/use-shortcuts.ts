"use client";

import { useEffect, useRef } from "react";
import { usePreferences } from "@/components/shell/preferences";
import { isTyping } from "@/components/shell/use-shortcuts";

/**
 * Single-letter shortcuts of a page, e.g. `{ j: next, k: previous }`. Off while somebody types or a dialog is
 * open, and always if the settings switch them off (WCAG 2.1.4).
 */
export function useShortcuts(actions: Record<string, () => void>): void {
  const { preferences } = usePreferences();
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });

  useEffect(() => {
    if (!preferences.shortcuts) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const action = latest.current[event.key.toLowerCase()];
      if (!action || isTyping(event.target) || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [preferences.shortcuts]);
}
