"use client";

import { useCallback, useEffect, useRef } from "react";
import { useUnloadWarning } from "@/components/ui/use-unload-warning";

const guardMark = "gatehouseGuard";

function isGuarded(): boolean {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null && guardMark in state;
}

/**
 * While `active`, Back and reload ask first. One extra history entry represents the page;
 * `release` takes it away again and resolves when it is gone.
 */
export function useLeaveGuard(active: boolean, onAttempt: () => void): () => Promise<void> {
  const attempt = useRef(onAttempt);
  attempt.current = onAttempt;
  const released = useRef(false);
  useUnloadWarning(active);

  useEffect(() => {
    if (!active) return;
    released.current = false;
    const push = () => {
      if (!isGuarded()) window.history.pushState({ ...window.history.state, [guardMark]: true }, "");
    };
    const onPopState = () => {
      if (released.current) return;
      push();
      attempt.current();
    };
    push();
    window.addEventListener("popstate", onPopState);
    return () => window.removeEventListener("popstate", onPopState);
  }, [active]);

  return useCallback(() => {
    released.current = true;
    if (!isGuarded()) return Promise.resolve();
    return new Promise((done) => {
      window.addEventListener("popstate", () => done(), { once: true });
      window.history.back();
    });
  }, []);
}
