"use client";

import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * For the menu in a table row. If it disappears while it has the focus, the menu of the next row (or the
 * previous one) gets the focus. If no row has a menu, the page's heading gets it.
 */
export function useFocusHandover<E extends HTMLElement>(): RefObject<E | null> {
  const holder = useRef<E>(null);
  useLayoutEffect(() => {
    const element = holder.current;
    return () => {
      if (element?.contains(document.activeElement)) heir(element)?.focus();
    };
  }, []);
  return holder;
}

const menuButton = "button[aria-haspopup=menu]";

function heir(element: HTMLElement): HTMLElement | null {
  const row = element.closest("tr");
  const rows = [...(row?.parentElement?.children ?? [])];
  const at = row ? rows.indexOf(row) : 0;
  for (const candidate of [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0)).reverse()]) {
    const button = candidate.querySelector<HTMLElement>(menuButton);
    if (button) return button;
  }
  const heading = document.querySelector<HTMLElement>("h1");
  if (heading) heading.tabIndex = -1;
  return heading;
}
