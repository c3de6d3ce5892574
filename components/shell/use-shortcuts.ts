"use client";

import { useEffect, useRef } from "react";
import { usePageRouter } from "@/components/ui/page/link";
import { groupKeys, useDestinations } from "./navigation.ts";
import { usePreferences } from "./preferences.tsx";

/** How long a letter after G counts as a shortcut. */
const sequenceMs = 1200;

interface Handlers {
  openPalette: () => void;
  openShortcuts: () => void;
}

/**
 * Ctrl/Cmd+K always works. `?` and the G letters work only outside fields, and only while shortcuts are on.
 */
export function useShortcuts({ openPalette, openShortcuts }: Handlers): void {
  const router = usePageRouter();
  const { preferences } = usePreferences();
  const destinations = useDestinations();
  const gPressedAtMs = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (!preferences.shortcuts || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
      const afterG = event.timeStamp - gPressedAtMs.current < sequenceMs;
      gPressedAtMs.current = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const group = afterG ? groupKeys.get(event.key) : undefined;
      const destination = group && destinations.find((page) => page.group === group);
      if (destination) router.push(destination.href);
      else if (event.key === "?") openShortcuts();
      else return;
      event.preventDefault();
    };
    // Runs before the page's own letters: after G, R means Results and not another run.
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [preferences.shortcuts, destinations, openPalette, openShortcuts, router]);
}

/** Whether a key belongs to the field into which it is typed. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [role=menu]") !== null
  );
}
