"use client";

import { useCallback, useEffect, useRef, useState } from "react";

/** How long a pointer or the focus rests on a tile before it plays. */
const restMs = 150;
const lessMotion = "(prefers-reduced-motion: reduce)";

/** The one tile that plays: the last that was pointed at or focused, once that rested on it. None where motion is not wanted. */
export function useLively(): { lively: string | null; want: (id: string | null) => void } {
  const [lively, setLively] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const want = useCallback((id: string | null) => {
    clearTimeout(timer.current);
    if (id === null) setLively(null);
    else if (!matchMedia(lessMotion).matches) timer.current = setTimeout(() => setLively(id), restMs);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { lively, want };
}
