"use client";

import { useEffect, useState } from "react";

/** Long enough not to ask at every key. */
const settleMs = 200;

/** A text as it was when somebody last stopped typing. */
export function useDebouncedText(text: string): string {
  const [kept, setKept] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setKept(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return kept;
}
