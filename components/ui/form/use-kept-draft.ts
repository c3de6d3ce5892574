"use client";

import { useCallback, useLayoutEffect, useRef, useState } from "react";

/** Delay before saving: long enough not to write at every keystroke, short enough to lose almost nothing. */
const saveAfterMs = 300;

interface KeptDraft<Value> {
  initial: () => Value;
  /**
   * Reads the stored draft. Null if there is none. This function and `save` must stay the same between
   * renders.
   */
  load: () => Value | null;
  /** Returns false if the draft could not be stored. */
  save: (value: Value) => boolean;
}

/** A draft that this browser stores: it survives a reload, a visit to another page, or a new sign-in. */
export function useKeptDraft<Value>({ initial, load, save }: KeptDraft<Value>) {
  const [draft, setDraft] = useState(initial);
  const [previous, setPrevious] = useState<Value | null>(null);
  const [notKept, setNotKept] = useState(false);
  const pending = useRef<{ value: Value } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isGone = useRef(false);

  // Before the first paint, so that nothing else is visible first. The server does not have the browser's
  // stored data.
  useLayoutEffect(() => {
    const kept = load();
    if (kept !== null) setDraft(kept);
  }, [load]);

  const flush = useCallback(() => {
    if (pending.current) setNotKept(!save(pending.current.value));
    pending.current = null;
  }, [save]);
  // A layout effect, because the next page reads the stored draft before its first paint. React runs all
  // cleanups of layout effects before that.
  useLayoutEffect(() => {
    isGone.current = false;
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
      isGone.current = true;
    };
  }, [flush]);

  const change = useCallback(
    (next: Value) => {
      setDraft(next);
      pending.current = { value: next };
      clearTimeout(timer.current);
      // Stores results that arrive after the user left the page, such as a partial answer, for the next
      // visit.
      if (isGone.current) flush();
      else timer.current = setTimeout(flush, saveAfterMs);
    },
    [flush],
  );
  return {
    draft,
    /** True if the draft is too large for this browser's storage. */
    notKept,
    change,
    /** Replaces the draft. The previous one can be restored. */
    replace(next: Value) {
      setPrevious(draft);
      change(next);
    },
    /** Restores the replaced draft. Null if there is none. */
    restore:
      previous !== null
        ? () => {
            setPrevious(null);
            change(previous);
          }
        : null,
    /** Forgets the replaced draft. */
    forgetReplaced: () => setPrevious(null),
    /** Discards changes that are not saved yet. */
    drop() {
      pending.current = null;
      clearTimeout(timer.current);
    },
  };
}
