"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type BatchDraft, emptyDraft, loadDraft, saveDraft } from "@/lib/batches/draft";
import type { BatchOperation } from "@/lib/batches/operations";
import type { InputTable } from "@/lib/batches/table";

const saveAfterMs = 300;

/** The inputs of a new batch of one operation, kept in this browser until it is started. */
export function useBatchDraft({ model, apiType, columns }: BatchOperation, accountId: string) {
  const key = `${model}:${apiType}`;
  const [draft, setDraft] = useState(() => emptyDraft(columns));
  const [previous, setPrevious] = useState<BatchDraft | null>(null);
  const [notKept, setNotKept] = useState(false);
  const pending = useRef<{ key: string; draft: BatchDraft | null } | null>(null);

  // Before the first paint; the server cannot know what this browser kept.
  useLayoutEffect(() => {
    const kept = loadDraft(accountId, key);
    if (kept) setDraft(kept);
  }, [accountId, key]);

  const flush = useCallback(() => {
    if (pending.current) setNotKept(!saveDraft(accountId, pending.current.key, pending.current.draft));
    pending.current = null;
  }, [accountId]);
  useEffect(() => {
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, [flush]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = (next: BatchDraft) => {
    setDraft(next);
    pending.current = { key, draft: next };
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, saveAfterMs);
  };

  return {
    draft,
    notKept,
    /** A changed cell makes the file a table. */
    setTable(table: InputTable) {
      setPrevious(null);
      change({ table, file: null });
    },
    /** Takes more than a cell with it; the draft before can be brought back until the next change. */
    replace(next: BatchDraft) {
      setPrevious(draft);
      change(next);
    },
    restore: previous
      ? () => {
          change(previous);
          setPrevious(null);
        }
      : null,
    /** It was started: the next batch begins empty. */
    forget() {
      pending.current = null;
      clearTimeout(timer.current);
      saveDraft(accountId, key, null);
    },
  };
}
