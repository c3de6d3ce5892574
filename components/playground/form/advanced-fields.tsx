"use client";

import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";

/** Fields that most runs do not set. They open automatically when the draft uses one. */
export function AdvancedFields({ inUse, children }: { inUse: boolean; children: ReactNode }) {
  const [open, setOpen] = useState<boolean | null>(null);
  return (
    <details
      open={open ?? inUse}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group min-w-0 border-t pt-3"
    >
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1 text-table font-medium text-muted hover:text-ink">
        <ChevronRight size={14} aria-hidden className="transition-transform group-open:rotate-90" />
        More options
      </summary>
      <div className="mt-3 flex min-w-0 flex-col gap-4">{children}</div>
    </details>
  );
}
