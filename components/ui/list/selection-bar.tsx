"use client";

import { type ReactNode, useLayoutEffect, useRef } from "react";
import { formatCount } from "@/lib/format";
import { Button } from "../button.tsx";
import { selectionBarId } from "./rows-table.tsx";

interface SelectionBarProps {
  count: number;
  noun: string;
  plural?: string;
  /** What happens to the selected rows now. It replaces their number and the button that clears them. */
  status?: string | null;
  onClear: () => void;
  /** The actions. */
  children: ReactNode;
}

/** Actions for the ticked rows of a `RowsTable`, above the table and always in view. */
export function SelectionBar({ count, noun, plural, status, onClear, children }: SelectionBarProps) {
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
      aria-label="Selection"
      className="sticky top-[56px] z-20 mb-2 flex flex-wrap items-center gap-2 rounded-control border border-accent bg-accent-soft px-3 py-1.5"
    >
      <span role="status" className="tabular mr-auto text-table text-ink">
        {status ?? (
          <>
            {formatCount(count, noun, plural)} selected
            <span className="sr-only">. Press Enter on a row's checkbox to go to the actions.</span>
          </>
        )}
      </span>
      {children}
      {status == null && (
        <Button size="sm" variant="ghost" onClick={onClear}>
          Clear selection
        </Button>
      )}
    </div>
  );
}
