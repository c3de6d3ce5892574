"use client";

import { LoaderCircle } from "lucide-react";

interface PaneSwitchProps {
  pane: "input" | "result";
  onChange: (pane: "input" | "result") => void;
  running: boolean;
  labels: Record<"input" | "result", string>;
}

/** Where both panes do not fit side by side, one is shown at a time. */
export function PaneSwitch({ pane, onChange, running, labels }: PaneSwitchProps) {
  const panes = [
    { value: "input", label: labels.input },
    { value: "result", label: labels.result },
  ] as const;
  return (
    <fieldset className="hidden w-full gap-0.5 rounded-control border border-strong bg-sunken p-0.5 max-desktop:flex">
      <legend className="sr-only">Show</legend>
      {panes.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={pane === value}
          onClick={() => onChange(value)}
          className="inline-flex min-h-8 flex-1 items-center justify-center gap-1.5 rounded-[6px] text-table font-medium text-muted aria-pressed:bg-panel aria-pressed:text-ink pointer-coarse:min-h-11"
        >
          {label}
          {value === "result" && running && (
            <LoaderCircle size={14} aria-label="running" className="animate-spin" />
          )}
        </button>
      ))}
    </fieldset>
  );
}
