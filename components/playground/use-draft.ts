"use client";

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { CatalogOperation } from "#contract/catalog.ts";
import { confirmationKey, type Draft, exampleDraft, readDraft, writeDraft } from "@/lib/schema-form/draft";
import { draftsStore } from "@/lib/schema-form/drafts-store";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";

/** Long enough not to write at every key, short enough to lose nothing worth typing again. */
const saveAfterMs = 300;

/** The draft of one operation: kept in this browser, the same after a reload, a walk elsewhere or a new sign-in. */
export function useDraft(plan: FormPlan, operation: CatalogOperation, accountId: string) {
  const [draft, setDraft] = useState<Draft>(() => exampleDraft(plan, operation.example));
  const [notKept, setNotKept] = useState(false);
  const [previous, setPrevious] = useState<Draft | null>(null);
  const store = useMemo(() => draftsStore(accountId), [accountId]);
  const pending = useRef<Draft | null>(null);

  // Before the first paint, so that the example does not flash up. The server cannot know what this browser kept.
  useLayoutEffect(() => {
    const kept = store.load(operation.id);
    if (kept) setDraft(kept);
  }, [store, operation.id]);

  const flush = useCallback(() => {
    if (!pending.current) return;
    setNotKept(!store.save(operation.id, pending.current));
    pending.current = null;
  }, [store, operation.id]);

  useEffect(() => {
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, [flush]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = useCallback(
    (next: Draft) => {
      setDraft(next);
      pending.current = next;
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, saveAfterMs);
    },
    [flush],
  );

  return {
    draft,
    /** True when the draft is too large for this browser's storage. */
    notKept,
    setText: (text: string) => change(readDraft(text)),
    setValue: (value: JsonObject) => change(writeDraft(value)),
    /** Puts another draft in place; the one before can be brought back. */
    replace(next: Draft) {
      setPrevious(draft);
      change(next);
    },
    restore: previous
      ? () => {
          setPrevious(null);
          change(previous);
        }
      : null,
    /** Each run asks anew. */
    clearConfirmation() {
      if (!draft.value || !(confirmationKey in draft.value)) return;
      const { [confirmationKey]: _confirmed, ...rest } = draft.value;
      change(writeDraft(rest));
    },
  };
}
