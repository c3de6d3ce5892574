"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../button.tsx";

interface FilterBarProps {
  /** The filters in one row; they wrap on narrow screens. */
  children: ReactNode;
  /** How many filters are set; with `onClear` there is a button to clear them. */
  active?: number;
  onClear?: () => void;
  /** Announced politely when it changes, e.g. `12 of 32 models`. */
  summary?: string;
  actions?: ReactNode;
}

export function FilterBar({ children, active = 0, onClear, summary, actions }: FilterBarProps) {
  return (
    <search
      aria-label="Filters"
      className="mb-3 flex flex-wrap items-center gap-2 [&_input]:text-table [&_select]:text-table"
    >
      {children}
      {active > 0 && onClear && (
        <Button variant="ghost" icon={<X size={14} aria-hidden />} onClick={onClear}>
          Clear<span className="sr-only"> {active === 1 ? "filter" : `${active} filters`}</span>
        </Button>
      )}
      <span role="status" className="tabular ml-auto text-table text-muted empty:ml-0 empty:-mr-2">
        {summary}
      </span>
      {actions}
    </search>
  );
}
