"use client";

import { ChevronRight } from "lucide-react";
import { formatDuration } from "@/lib/format";

interface ThinkingProps {
  text: string;
  /** How long the model thought. Null if unknown. */
  ms: number | null;
  isOver?: boolean;
}

/** The model's thoughts before its answer, collapsed to one line. */
export function Thinking({ text, ms, isOver = true }: ThinkingProps) {
  return (
    <details className="group/thinking min-w-0 text-muted">
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1 text-table font-medium hover:text-ink">
        <ChevronRight size={14} aria-hidden className="transition-transform group-open/thinking:rotate-90" />
        {isOver ? (ms === null ? "Thoughts" : `Thought for ${formatDuration(ms)}`) : "Thinking"}
      </summary>
      <p className="mt-1 border-l-2 pl-3 text-table whitespace-pre-wrap wrap-anywhere">{text}</p>
    </details>
  );
}
