"use client";

import { type ReactNode, useId, useRef } from "react";
import { useWords } from "#words";
import { placeBeside } from "../anchored-position.ts";
import { buttonLook } from "../looks.ts";

interface MoreFiltersProps {
  /** Number of filters in it that are set. */
  active: number;
  children: ReactNode;
}

/** Filters that few people need, behind a button, so that a list has one line of filters. A phone's sheet shows all. */
export function MoreFilters({ active, children }: MoreFiltersProps) {
  const t = useWords("ui");
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className={`max-tablet:hidden ${buttonLook()} ${active > 0 ? "border-accent! bg-accent-soft!" : ""}`}
      >
        {active > 0 ? t("moreActive", { count: active }) : t("more")}
      </button>
      <div
        id={id}
        popover="auto"
        onToggle={({ newState, currentTarget }) => {
          if (newState === "open" && button.current) placeBeside(button.current, currentTarget, "start");
        }}
        className="max-tablet:contents tablet:fixed tablet:inset-auto tablet:m-0 tablet:min-w-56 tablet:flex-col tablet:gap-3 tablet:rounded-panel tablet:border tablet:bg-raised tablet:p-4 tablet:text-ink tablet:shadow-float tablet:open:flex"
      >
        {children}
      </div>
    </>
  );
}
