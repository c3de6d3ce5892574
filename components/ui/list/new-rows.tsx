"use client";

import { ArrowUp } from "lucide-react";
import type { RefObject } from "react";
import { useWords } from "#words";
import { Button } from "../button.tsx";

interface NewRowsProps {
  count: number;
  /** The list. After a click, its start is scrolled into view and focused. */
  container: RefObject<HTMLElement | null>;
  onShow: () => void;
}

/** "3 new": rows that arrived while somebody was reading the list. */
export function NewRows({ count, container, onShow }: NewRowsProps) {
  const t = useWords("ui");
  return (
    <div className="pointer-events-none sticky top-[60px] z-10 mb-2 flex justify-center">
      <Button
        size="sm"
        className="pointer-events-auto rounded-full! bg-raised! px-3! shadow-float"
        icon={<ArrowUp size={14} aria-hidden />}
        onClick={() => {
          onShow();
          window.scrollTo({ top: 0 });
          container.current?.querySelector<HTMLElement>("[role=group]")?.focus({ preventScroll: true });
        }}
      >
        {t("newRows", { count })}
      </Button>
    </div>
  );
}
