"use client";

import { useCallback } from "react";
import { useKeptDraft } from "@/components/ui/form/use-kept-draft";
import { type BatchDraft, emptyDraft, loadDraft, saveDraft } from "@/lib/batches/draft";
import type { BatchOperation } from "@/lib/batches/operations";
import type { InputTable } from "@/lib/input-table";

/** The inputs of a new batch of one operation, kept in this browser until it is started. */
export function useBatchDraft({ model, apiType, columns }: BatchOperation, accountId: string) {
  const key = `${model}:${apiType}`;
  const kept = useKeptDraft<BatchDraft>({
    initial: () => emptyDraft(columns),
    load: useCallback(() => loadDraft(accountId, key), [accountId, key]),
    save: useCallback((draft: BatchDraft) => saveDraft(accountId, key, draft), [accountId, key]),
  });
  return {
    draft: kept.draft,
    notKept: kept.notKept,
    /** A changed cell makes the file a table. */
    setTable(table: InputTable) {
      kept.forgetReplaced();
      kept.change({ table, file: null });
    },
    replace: kept.replace,
    restore: kept.restore,
    /** It was started: the next batch begins empty. */
    forget() {
      kept.drop();
      saveDraft(accountId, key, null);
    },
  };
}
