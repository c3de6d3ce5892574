"use client";

import { useEffect, useRef, useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import { usePageRouter } from "@/components/ui/use-place";
import { callGateway } from "@/lib/browser/gateway";

/** Loads the input of a past prediction once; says what became of it. */
export function useTweak(from: string | null, load: (input: Record<string, unknown>) => void): string | null {
  const [notice, setNotice] = useState<string | null>(null);
  const latest = useRef(load);
  latest.current = load;
  const router = usePageRouter();
  useEffect(() => {
    if (!from) return;
    let wanted = true;
    void callGateway<Prediction>(`/predictions/${encodeURIComponent(from)}`).then((answer) => {
      if (!wanted) return;
      if (!answer.ok) setNotice(`The input of ${from} could not be loaded. ${answer.error.message}`);
      else if (!answer.data.input)
        setNotice(`The input of ${from} has been removed. Your draft is unchanged.`);
      else {
        latest.current(answer.data.input);
        setNotice(`Input of ${from} loaded.`);
        // A reload or Back would load it once more, over what was edited since. The router's own call: its tree of the
        // page holds the address too.
        const address = new URL(window.location.href);
        address.searchParams.delete("from");
        router.replace(`${address.pathname}${address.search}`, { scroll: false });
      }
    });
    return () => {
      wanted = false;
    };
  }, [from, router]);
  return notice;
}
