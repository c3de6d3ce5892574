"use client";

import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useWords } from "#words";
import type { Noun } from "@/messages/words";
import { Button } from "../button.tsx";
import { selectionBarId } from "./rows-table.tsx";

interface SelectionBarProps {
  count: number;
  noun: Noun;
  /** What happens to the selected rows now. It replaces their number and the button that clears them. */
  status?: string | null;
  onClear: () => void;
  /** The actions. */
  children: ReactNode;
}

/** Actions for the ticked rows of a `RowsTable`, above the table and always in view. */
export function SelectionBar({ count, noun, status, onClear, children }: SelectionBarProps) {
  const t = useWords("ui");
  const nouns = useWords("nouns");
  const bar = useRef<HTMLDivElement>(null);
  // The focus moves on to the table when the bar closes.
  useLayoutEffect(() => {
    const element = bar.current;
    const table = element?.parentElement?.querySelector<HTMLElement>("[role=group][tabindex]");
    return () => {
      if (element?.contains(document.activeElement)) table?.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: no element says "group" outside forms.
    <div
      ref={bar}
      id={selectionBarId}
      role="group"
      aria-label={t("selection")}
      className="sticky top-[56px] z-20 mb-2 flex flex-wrap items-center gap-2 rounded-control border border-accent bg-accent-soft px-3 py-1.5"
    >
      <span role="status" className="tabular mr-auto text-table text-ink">
        {status ??
          t.rich(
            "selected",
            { count, noun: nouns(noun, { count }) },
            {
              hidden: (content) => (
                <span key="hidden" className="sr-only">
                  {content}
                </span>
              ),
            },
          )}
      </span>
      {children}
      {status == null && (
        <Button size="sm" variant="ghost" onClick={onClear}>
          {t("clearSelection")}
        </Button>
      )}
    </div>
  );
}
