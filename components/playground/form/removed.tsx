"use client";

import { Undo2 } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";

/** Remembers a list before an item was removed from it. */
export function useRemoved<Value>() {
  const [last, setLast] = useState<{ name: string; before: Value } | null>(null);
  return {
    last,
    keep: (name: string, before: Value) => setLast({ name, before }),
    forget: () => setLast(null),
  };
}

interface RemovedProps<Value> extends ReturnType<typeof useRemoved<Value>> {
  onRestore: (before: Value) => void;
}

/** Gets the focus from the button that disappeared with the removed item. */
export function Removed<Value>({ last, forget, onRestore }: RemovedProps<Value>) {
  const t = useWords("inputForm");
  if (!last) return null;
  return (
    <p role="status" className="flex items-center gap-2 text-table text-muted">
      {t("removedName", { name: last.name })}
      <Button
        autoFocus
        size="sm"
        variant="ghost"
        icon={<Undo2 size={14} aria-hidden />}
        onClick={() => {
          onRestore(last.before);
          forget();
        }}
      >
        {t("undo")}
      </Button>
    </p>
  );
}
