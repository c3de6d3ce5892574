"use client";

import { useCallback } from "react";
import type { Run } from "@/lib/browser/runs/run";

/** After so many failures in a row of one input, only a new press of Run sends it again. */
const mostRetries = 3;

/** Counted per input, for this visit. */
const spent = new Map<string, number>();

/** How often a failed run may still be sent again from its error. */
export function useRetries(run: Run) {
  const input = `${run.operationId} ${JSON.stringify(run.body)}`;
  const spend = useCallback(
    (again: (run: Run) => void) => (failed: Run) => {
      spent.set(input, (spent.get(input) ?? 0) + 1);
      again(failed);
    },
    [input],
  );
  const used = spent.get(input) ?? 0;
  return {
    left: mostRetries - used,
    /** It is sent again automatically once: after two refusals in a row, asking more often does not help. */
    mayRepeat: used === 0,
    spend,
  };
}
