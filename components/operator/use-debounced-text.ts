"use client";

import { useEffect, useState } from "react";

/** Delay before a request, so that not every keystroke sends one. */
const settleMs = 200;

/** The text at the last pause in typing. */
export function useDebouncedText(text: string): string {
  const [kept, setKept] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setKept(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return kept;
}
