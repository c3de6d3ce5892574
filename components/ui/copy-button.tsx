"use client";

import { Check, Copy, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { useWords } from "#words";
import { copyText } from "@/lib/browser/copy-text";
import { IconButton } from "./button.tsx";

const shownMs = 2000;

interface CopyButtonProps {
  value: string;
  /** The button's name, e.g. `Copy prediction id`. */
  label: string;
  size?: "sm" | "md";
}

/** Ids are many and close together, so the touch target is larger than the visible button. */
const reach =
  "pointer-coarse:min-h-[28px]! pointer-coarse:w-[28px]! pointer-coarse:relative pointer-coarse:after:absolute pointer-coarse:after:-inset-[9px]";

export function CopyButton({ value, label, size = "sm" }: CopyButtonProps) {
  const t = useWords("ui");
  const [outcome, setOutcome] = useState<"copied" | "refused" | null>(null);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    try {
      await copyText(value);
      setOutcome("copied");
    } catch {
      setOutcome("refused");
    }
  };

  return (
    <span className="relative inline-flex">
      <IconButton
        label={label}
        size={size}
        {...(size === "sm" && { className: reach })}
        onClick={copy}
        icon={
          outcome === "copied" ? (
            <Check size={14} aria-hidden className="text-good" />
          ) : outcome === "refused" ? (
            <TriangleAlert size={14} aria-hidden className="text-warn" />
          ) : (
            <Copy size={14} aria-hidden />
          )
        }
      />
      <span aria-live="polite" className="sr-only">
        {outcome === "copied" && t("copied")}
        {outcome === "refused" && t("copyRefused")}
      </span>
    </span>
  );
}
