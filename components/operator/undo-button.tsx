"use client";

import { Undo2 } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { useUndo } from "./use-change.ts";

/** Undoes a change. */
export function UndoButton({ changeId, what }: { changeId: string; what: string }) {
  const t = useWords("operator");
  const undo = useUndo();
  const [busy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    await undo(changeId);
    setBusy(false);
  };
  return (
    <Button
      size="sm"
      busy={busy}
      icon={<Undo2 size={14} aria-hidden />}
      aria-label={t("undoWhat", { what })}
      onClick={() => void press()}
    >
      {t("undo")}
    </Button>
  );
}
