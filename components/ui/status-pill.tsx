import type { LucideIcon } from "lucide-react";
import type { Tone } from "@/lib/status/status-look";
import { classNames } from "./class-names.ts";
import { toneLook } from "./tone-look.ts";

export type { Tone };

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
