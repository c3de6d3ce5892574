"use client";

import { useCallback, useMemo, useRef, useState } from "react";
import { isSame } from "#contract/input-schema/json-values.ts";
import { useKeptDraft } from "@/components/ui/form/use-kept-draft";
import type { Candidate } from "@/lib/compare/candidates";
import { commonFrom } from "@/lib/compare/common-input";
import { asksOf, begin, type KeptComparison, readKept, storableComparison } from "@/lib/compare/kept";
import type { ComparisonDraft, ComparisonStart } from "@/lib/compare/start";
import { writeDraft } from "@/lib/schema-form/draft";
import { draftsStore } from "@/lib/schema-form/drafts-store";

/** Beside the drafts of operations, whose keys have a colon. */
const draftKey = "comparison";

/**
 * What is filled in, kept in this browser. A run, preset or draft that the address asks for takes its place, but not that of
 * what somebody has made of the very same: after a reload their edits are there, with a way back.
 */
export function useComparisonDraft(
  accountId: string,
  candidates: readonly Candidate[],
  asked: ComparisonStart,
) {
  const store = useMemo(() => draftsStore(accountId), [accountId]);
  // What the page was opened with; a refresh of it brings no edit back.
  const [{ start, source }] = useState(() => ({
    start: asked,
    source: candidates.find(({ key }) => key === asked.draftOf),
  }));
  const kept = useKeptDraft<KeptComparison>({
    initial: () => begin(asksOf(start), null),
    load: useCallback(() => {
      const before = readKept(store.load(draftKey)?.value ?? null);
      const input = source ? commonFrom(source, store.load(source.key)?.value ?? {}) : start.input;
      if (input === null && start.chosen.length === 0) return before;
      const original = { ...asksOf(start), input };
      return before && isSame(before.original, original) ? before : begin(original, before);
    }, [start, source, store]),
    save: useCallback(
      (next: KeptComparison) => store.save(draftKey, writeDraft({ ...storableComparison(next) })),
      [store],
    ),
  });
  const { draft, change, replace, restore } = kept;
  // A file may arrive, and another field change, before either is drawn.
  const latest = useRef(draft);
  latest.current = draft;
  const update = useCallback(
    (next: (now: ComparisonDraft) => ComparisonDraft) => {
      latest.current = { ...latest.current, ...next(latest.current) };
      change(latest.current);
    },
    [change],
  );
  const first = begin(draft.original, draft);
  const isAsked = start.input !== null || start.chosen.length > 0;
  return {
    draft,
    update,
    /** Back to what the address asks for; null where nothing was changed. */
    startAgain: isAsked && !isSame(draft, first) ? () => replace(first) : null,
    /** Takes that back; null where it was not done. */
    undo: restore,
  };
}
