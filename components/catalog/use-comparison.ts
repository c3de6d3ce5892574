"use client";

import { useState } from "react";
import { maxCompared } from "./compare-limit.ts";

/** The models that are ticked for comparison. */
export function useComparison() {
  const [ids, setIds] = useState<readonly string[]>([]);
  const has = (id: string) => ids.includes(id);
  return {
    ids,
    has,
    canTick: (id: string) => has(id) || ids.length < maxCompared,
    toggle: (id: string) => setIds(has(id) ? ids.filter((other) => other !== id) : [...ids, id]),
  };
}

export type ComparisonTicks = ReturnType<typeof useComparison>;
