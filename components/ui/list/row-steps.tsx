"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import { usePageRouter, usePlace } from "@/components/ui/page/use-place";
import { useShortcuts } from "@/components/ui/page/use-shortcuts";
import { IconButton, LinkButton } from "../button.tsx";
import { stepToRow } from "./row-return.ts";
import { useReturnToRow } from "./use-return-to-row.ts";

interface RowStepsProps {
  /** Singular of the list's items, e.g. `prediction`. */
  noun: string;
  /** Address of the list. */
  list: string;
  /** Addresses of the neighbours; null at the list's end and until they are known. */
  newer: string | null;
  older: string | null;
}

/**
 * Buttons to the next and previous row of the list (also K and J), or back to it (Esc). They are always in
 * the same place.
 */
export function RowSteps({ noun, list, newer, older }: RowStepsProps) {
  const router = usePageRouter();
  const { path: page } = usePlace();
  const go = (href: string | null) => {
    if (href === null) return;
    stepToRow(page, href);
    router.push(href);
  };
  useReturnToRow(list);
  useShortcuts({ k: () => go(newer), j: () => go(older) });
  return (
    <nav aria-label="Previous and next in the list" className="flex gap-1">
      <Step from={page} href={newer} label={`Newer ${noun} (K)`} icon={<ChevronUp size={16} aria-hidden />} />
      <Step
        from={page}
        href={older}
        label={`Older ${noun} (J)`}
        icon={<ChevronDown size={16} aria-hidden />}
      />
    </nav>
  );
}

interface StepProps {
  from: string;
  href: string | null;
  label: string;
  icon: React.ReactNode;
}

function Step({ from, href, label, icon }: StepProps) {
  const square = "w-[32px] px-0! pointer-coarse:w-[44px]";
  if (href === null) return <IconButton label={label} icon={icon} disabled />;
  return (
    <LinkButton
      variant="ghost"
      href={href}
      onClick={() => stepToRow(from, href)}
      aria-label={label}
      title={label}
      icon={icon}
      className={square}
    />
  );
}
