import { createContext, useContext, useEffect, useRef } from "react";
import type { Media } from "@/lib/schema-form/plan";

/** A field that accepts files. */
export interface FileTaker {
  title: string;
  media: Media;
  /** True when the field already has a file, which a new one would replace. */
  isFilled: boolean;
  multiple: boolean;
  take: (files: File[]) => void;
}

export const FileTakers = createContext<Set<() => FileTaker>>(new Set());

/**
 * Registers a field for files that are pasted or dropped anywhere on the page. Pass null while it accepts
 * none.
 */
export function useFileTaker(taker: FileTaker | null): void {
  const takers = useContext(FileTakers);
  const latest = useRef(taker);
  latest.current = taker;
  const isOpen = taker !== null;
  useEffect(() => {
    if (!isOpen) return;
    const offered = () => latest.current as FileTaker;
    takers.add(offered);
    return () => void takers.delete(offered);
  }, [takers, isOpen]);
}
