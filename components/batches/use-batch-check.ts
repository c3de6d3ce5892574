"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type BatchDraft, sourceOf } from "@/lib/batches/draft";
import type { BatchOperation } from "@/lib/batches/operations";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { filledRows } from "@/lib/input-table";
import { queryKeys } from "@/lib/query-keys";

const checkAfterMs = 700;

/** Asks the gateway what it would find, a moment after the last change; nothing runs. */
export function useBatchCheck({ model, apiType }: BatchOperation, draft: BatchDraft) {
  const [asked, setAsked] = useState<{ draft: BatchDraft; revision: number } | null>(null);
  const isEmpty = filledRows(draft.table) === 0;
  useEffect(() => {
    const timer = setTimeout(
      () => setAsked((last) => ({ draft, revision: (last?.revision ?? 0) + 1 })),
      checkAfterMs,
    );
    return () => clearTimeout(timer);
  }, [draft]);
  const query = useQuery({
    queryKey: [...queryKeys.batchCheck(asked?.revision ?? 0), model, apiType],
    queryFn: async ({ signal }) => ({
      file: (asked?.draft ?? draft).file,
      check: await fetchRoute("POST /batches/check", {
        body: { model, api_type: apiType, ...sourceOf(asked?.draft ?? draft) },
        signal,
      }),
    }),
    enabled: asked !== null && filledRows(asked.draft.table) > 0,
    placeholderData: keepPreviousData,
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  // Faults stay while a cell is typed in, but those of one file say nothing of another.
  const found = query.data && (!draft.file || query.data.file === draft.file) ? query.data.check : null;
  const isCurrent = asked?.draft === draft && !query.isPlaceholderData;
  return {
    check: isEmpty ? null : found,
    failure: isEmpty ? null : failureBehind(query.error),
    /** It says something of the rows as they are now. */
    isCurrent: isCurrent && !query.isFetching,
    isEmpty,
    again: () => void query.refetch(),
  };
}
