"use client";

import type { RefObject } from "react";
import { useShortcuts } from "@/components/ui/use-shortcuts";

/** J and K move through the row links inside `container`; Enter then opens one, as any link. */
export function useRowKeys(container: RefObject<HTMLElement | null>): void {
  const move = (step: 1 | -1) => {
    const links = [...(container.current?.querySelectorAll<HTMLElement>("a[data-row-link]") ?? [])];
    const current = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
    const next = current === -1 ? (step === 1 ? 0 : links.length - 1) : current + step;
    links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
  };
  useShortcuts({ j: () => move(1), k: () => move(-1) });
}
