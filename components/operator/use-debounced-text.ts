"use client";

import { useEffect, useState } from "react";

/** Long enough not to send a request for every key. */
const settleMs = 200;

/** The text as it was when typing last stopped. */
export function useDebouncedText(text: string): string {
  const [kept, setKept] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setKept(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return kept;
}
