"use client";

import { ChevronDown } from "lucide-react";
import { useId, useRef } from "react";
import { placeBeside } from "@/components/ui/anchored-position";
import { Checkbox } from "@/components/ui/form/checkbox";
import { facetLabel } from "./facet-labels.ts";
import type { FacetOption } from "./facets.ts";

interface FacetMenuProps {
  label: string;
  options: readonly FacetOption[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** A facet as a button that opens its values with their counts; several may be chosen. */
export function FacetMenu({ label, options, chosen, onChange }: FacetMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);

  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className="control-height inline-flex items-center gap-1.5 rounded-control border border-strong bg-panel px-2.5 text-table font-medium hover:bg-sunken"
      >
        {label}
        {chosen.length > 0 && (
          <span className="max-w-32 truncate text-accent">
            {chosen.length === 1 ? facetLabel(chosen[0] ?? "") : `${chosen.length} chosen`}
          </span>
        )}
        <ChevronDown size={14} aria-hidden className="text-muted" />
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        onToggle={(event) => {
          if (event.newState === "open" && button.current && popover.current)
            placeBeside(button.current, popover.current, "start");
        }}
        className="fixed inset-auto m-0 max-h-[60vh] min-w-52 overflow-y-auto rounded-panel border bg-raised p-2 text-ink shadow-float"
      >
        <fieldset>
          <legend className="sr-only">{label}</legend>
          {options.map(({ value, count }) => (
            <div
              key={value}
              className="flex items-center justify-between gap-4 rounded-[6px] px-1.5 py-0.5 hover:bg-sunken"
            >
              <Checkbox
                label={facetLabel(value)}
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
                className="flex-1"
              />
              <span className={`tabular text-table ${count === 0 ? "text-faint" : "text-muted"}`}>
                {count}
              </span>
            </div>
          ))}
        </fieldset>
      </div>
    </>
  );
}
