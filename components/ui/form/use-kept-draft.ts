"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Long enough not to write on every key, short enough to lose next to nothing. */
const saveAfterMs = 300;

interface KeptDraft<Value> {
  initial: () => Value;
  /** Reads the stored draft; null if there is none. It and `save` must stay the same between renders. */
  load: () => Value | null;
  /** False if the draft could not be stored. */
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

  // Before the first paint, so that nothing else flashes up. The server cannot know what this browser stored.
  useLayoutEffect(() => {
    const kept = load();
    if (kept !== null) setDraft(kept);
  }, [load]);

  const flush = useCallback(() => {
    if (pending.current) setNotKept(!save(pending.current.value));
    pending.current = null;
  }, [save]);
  useEffect(() => {
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
      // Results that arrive after the page was left, such as a partial answer, are there when the person
      // returns.
      if (isGone.current) flush();
      else timer.current = setTimeout(flush, saveAfterMs);
    },
    [flush],
  );
  return {
    draft,
    /** True if it is too large for this browser's storage. */
    notKept,
    change,
    /** Replaces the draft; the one before can be restored. */
    replace(next: Value) {
      setPrevious(draft);
      change(next);
    },
    /** Restores the replaced draft; null if there is none. */
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
