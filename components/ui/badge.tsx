import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Tone } from "@/lib/status/status-look";
import { classNames } from "./looks.ts";

interface BadgeProps {
  tone?: Tone | undefined;
  icon?: ReactNode;
  title?: string | undefined;
  children: ReactNode;
}

/** Whole class names, so that Tailwind finds them. */
export const toneLook: Record<Tone, string> = {
  good: "text-good bg-good-soft",
  busy: "text-busy bg-busy-soft",
  waiting: "text-waiting bg-waiting-soft",
  warn: "text-warn bg-warn-soft",
  bad: "text-bad bg-bad-soft",
  gone: "text-gone bg-gone-soft",
};

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

interface StatusPillProps {
  label: string;
  tone: Tone;
  icon: LucideIcon;
  /** The state's meaning, shown on hover. */
  title?: string | undefined;
}

/** A state always has an icon, a word and a tone. */
export function StatusPill({ label, tone, icon: Icon, title }: StatusPillProps) {
  return (
    <span
      title={title}
      className={classNames(
        "inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full px-2 text-meta font-medium whitespace-nowrap",
        toneLook[tone],
        tone === "gone" && "line-through decoration-1",
      )}
    >
      <Icon size={13} aria-hidden className={tone === "busy" ? "breathe" : undefined} />
      {label}
    </span>
  );
}
