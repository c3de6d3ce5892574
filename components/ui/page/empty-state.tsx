import type { ReactNode } from "react";
import { classNames } from "../looks.ts";

type Drawing = "rows" | "gate" | "frames" | "signal";

interface EmptyStateProps {
  title: string;
  body: ReactNode;
  action?: ReactNode;
  drawing?: Drawing;
  className?: string;
}

/** An empty list: one sentence, one action, and a small drawing of the product's own shapes. */
export function EmptyState({ title, body, action, drawing = "rows", className }: EmptyStateProps) {
  return (
    <div
      className={classNames(
        "flex flex-col items-center gap-3 rounded-panel border border-dashed px-6 py-12 text-center",
        className,
      )}
    >
      <svg viewBox="0 0 96 56" width="96" height="56" aria-hidden="true" className="text-strong" fill="none">
        {drawings[drawing]}
      </svg>
      <h2 className="text-title font-semibold">{title}</h2>
      <p className="max-w-[52ch] text-balance text-muted">{body}</p>
      {action && <div className="mt-1">{action}</div>}
    </div>
  );
}

const drawings: Record<Drawing, ReactNode> = {
  rows: (
    <g stroke="currentColor" strokeWidth="1.5">
      <rect x="8.75" y="6.75" width="30" height="8" rx="4" />
      <rect x="24.75" y="22.75" width="44" height="8" rx="4" />
      <rect x="52.75" y="38.75" width="34" height="8" rx="4" className="fill-accent-soft stroke-accent" />
    </g>
  ),
  gate: (
    <g stroke="currentColor" strokeWidth="1.5">
      <path d="M14 50V22a16 16 0 0 1 32 0v28M50 50V22a16 16 0 0 1 32 0v28" />
      <path d="M48 6v44" strokeDasharray="3 4" className="stroke-accent" />
      <path d="M6 50h84" />
    </g>
  ),
  frames: (
    <g stroke="currentColor" strokeWidth="1.5">
      <rect x="8.75" y="14.75" width="34" height="34" rx="5" />
      <rect x="30.75" y="6.75" width="34" height="34" rx="5" className="fill-(--canvas)" />
      <rect x="52.75" y="14.75" width="34" height="34" rx="5" className="fill-accent-soft stroke-accent" />
    </g>
  ),
  signal: (
    <g stroke="currentColor" strokeWidth="1.5">
      <circle cx="14" cy="28" r="6" />
      <path d="M24 28h12m6 0h12m6 0h12" strokeDasharray="4 4" />
      <circle cx="82" cy="28" r="6" className="fill-accent-soft stroke-accent" />
    </g>
  ),
};
