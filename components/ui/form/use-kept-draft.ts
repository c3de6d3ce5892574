"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Long enough not to write at every key, short enough to lose nothing worth typing again. */
const saveAfterMs = 300;

interface KeptDraft<Value> {
  initial: () => Value;
  /** What this browser kept; null: nothing. It and `save` stay the same between renders. */
  load: () => Value | null;
  /** False when the draft could not be kept. */
  save: (value: Value) => boolean;
}

/** A draft that this browser keeps: the same after a reload, a walk elsewhere or a new sign-in. */
export function useKeptDraft<Value>({ initial, load, save }: KeptDraft<Value>) {
  const [draft, setDraft] = useState(initial);
  const [previous, setPrevious] = useState<Value | null>(null);
  const [notKept, setNotKept] = useState(false);
  const pending = useRef<{ value: Value } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isGone = useRef(false);

  // Before the first paint, so that nothing else flashes up. The server cannot know what this browser kept.
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
      // What ends after the page was left, such as an answer that came in part, is there when somebody comes back.
      if (isGone.current) flush();
      else timer.current = setTimeout(flush, saveAfterMs);
    },
    [flush],
  );
  return {
    draft,
    /** True when it is too large for this browser's storage. */
    notKept,
    change,
    /** Puts another draft in place; the one before can be brought back. */
    replace(next: Value) {
      setPrevious(draft);
      change(next);
    },
    /** Brings back what was replaced; null where nothing was. */
    restore:
      previous !== null
        ? () => {
            setPrevious(null);
            change(previous);
          }
        : null,
    /** What was replaced stays gone. */
    forgetReplaced: () => setPrevious(null),
    /** Saves nothing of what was changed last. */
    drop() {
      pending.current = null;
      clearTimeout(timer.current);
    },
  };
}
