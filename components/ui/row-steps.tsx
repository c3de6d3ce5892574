"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { IconButton, LinkButton } from "./button.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

interface RowStepsProps {
  /** What the list holds, e.g. `prediction`. */
  noun: string;
  /** Addresses of the neighbours; null at the list's end and until they are known. */
  newer: string | null;
  older: string | null;
}

/** From a detail page to the next row of the list it was opened from, also by K and J. Its place never changes. */
export function RowSteps({ noun, newer, older }: RowStepsProps) {
  const router = useRouter();
  const go = (href: string | null) => href !== null && router.push(href);
  useShortcuts({ k: () => go(newer), j: () => go(older) });
  return (
    <nav aria-label="Previous and next in the list" className="flex gap-1">
      <Step href={newer} label={`Newer ${noun} (K)`} icon={<ChevronUp size={16} aria-hidden />} />
      <Step href={older} label={`Older ${noun} (J)`} icon={<ChevronDown size={16} aria-hidden />} />
    </nav>
  );
}

function Step({ href, label, icon }: { href: string | null; label: string; icon: React.ReactNode }) {
  const square = "w-[32px] px-0! pointer-coarse:w-[36px]";
  if (href === null) return <IconButton label={label} icon={icon} disabled />;
  return (
    <LinkButton variant="ghost" href={href} aria-label={label} title={label} icon={icon} className={square} />
  );
}
