"use client";

import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { classNames } from "./looks.ts";

export interface Tab<Value extends string = string> {
  value: Value;
  label: ReactNode;
  content: ReactNode;
  badge?: ReactNode;
}

interface TabsProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly Tab<Value>[];
  /** Names the row of tabs for screen readers. */
  label?: string;
  /** Hidden panels stay mounted, so that typed text stays too. */
  keepMounted?: boolean;
  /** Shown at the right end of the row. */
  actions?: ReactNode;
  className?: string;
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

export function Tabs<Value extends string>({
  value,
  onChange,
  tabs,
  label,
  keepMounted,
  actions,
  className,
}: TabsProps<Value>) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    const index = tabs.findIndex((tab) => tab.value === value);
    const target =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? tabs.length - 1
          : steps[event.key] !== undefined
            ? (index + (steps[event.key] ?? 0) + tabs.length) % tabs.length
            : -1;
    const next = tabs[target];
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    row.current?.querySelectorAll<HTMLElement>("[role=tab]")[target]?.focus();
  };

  return (
    <div className={classNames("min-w-0", className)}>
      <div className="flex items-end gap-2 border-b">
        <div
          ref={row}
          role="tablist"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={onKeyDown}
          className="-mb-px flex min-w-0 flex-1 gap-1 overflow-x-auto p-0.5 pb-0 max-phone:gap-0"
        >
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-tab-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel-${tab.value}`}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
              className="control-height inline-flex shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 max-phone:px-2 text-base font-medium text-muted hover:text-ink focus-visible:-outline-offset-2! aria-selected:border-accent aria-selected:text-ink"
            >
              {tab.label}
              {tab.badge !== undefined && tab.badge !== null && (
                <span className="tabular rounded-full bg-sunken px-1.5 text-meta text-muted">
                  {tab.badge}
                </span>
              )}
            </button>
          ))}
        </div>
        {actions && <div className="flex shrink-0 gap-2 pb-1">{actions}</div>}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-panel-${tab.value}`}
          aria-labelledby={`${id}-tab-${tab.value}`}
          hidden={tab.value !== value}
          className="pt-4"
        >
          {(keepMounted || tab.value === value) && tab.content}
        </div>
      ))}
    </div>
  );
}
