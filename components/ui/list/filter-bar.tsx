"use client";

import { SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button } from "../button.tsx";
import { buttonLook } from "../form/control-look.ts";

interface FilterBarProps {
  /** The filters in their order. They wrap on narrow windows, and collapse into a sheet on phones. */
  children: ReactNode;
  /** Number of filters that are set. With `onClear` there is a button to clear them. */
  active?: number;
  onClear?: () => void;
  /** Screen readers announce it when it changes, e.g. `12 of 32 models`. */
  summary?: string;
  actions?: ReactNode;
}

export function FilterBar({ children, active = 0, onClear, summary, actions }: FilterBarProps) {
  const id = useId();
  return (
    <search
      aria-label="Filters"
      className="mb-3 flex flex-wrap items-center gap-2 [&_input]:text-table [&_select]:text-table"
    >
      <button type="button" popoverTarget={id} className={`folds-button ${buttonLook()}`}>
        <SlidersHorizontal size={16} aria-hidden />
        Filters{active > 0 && ` (${active})`}
      </button>
      <div id={id} popover="auto" className="folds folds-inline">
        {children}
      </div>
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
