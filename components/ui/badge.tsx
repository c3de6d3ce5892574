import type { ReactNode } from "react";
import type { Tone } from "@/lib/status/status-look";
import { classNames } from "./class-names.ts";
import { toneLook } from "./tone-look.ts";

interface BadgeProps {
  tone?: Tone | undefined;
  icon?: ReactNode;
  title?: string | undefined;
  children: ReactNode;
}

/** A short fact: a kind, a gate, a version. */
export function Badge({ tone, icon, title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={classNames(
        "inline-flex min-h-5 items-center gap-1 rounded-[5px] px-1.5 font-sans text-meta font-medium whitespace-nowrap",
        tone ? toneLook[tone] : "border bg-panel text-muted",
      )}
    >
      {icon}
      {children}
    </span>
  );
}
