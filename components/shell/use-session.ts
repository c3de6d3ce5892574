"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { usePageRouter } from "@/components/ui/page/use-place";
import { beginPageOf, onSessionState, type SessionState, sessionState } from "@/lib/browser/session";
import { watchSession } from "@/lib/browser/watch-session";

/** Whether the session that the page was drawn for is still open; once it is again, the page goes on. */
export function useSession(person: string): SessionState {
  useState(() => typeof window !== "undefined" && beginPageOf(person));
  const state = useSyncExternalStore(onSessionState, sessionState, () => "open" as const);
  useEffect(watchSession, []);

  const router = usePageRouter();
  const queries = useQueryClient();
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== "open" && state === "open") {
      router.refresh();
      void queries.invalidateQueries();
    }
    before.current = state;
  }, [state, router, queries]);
  return state;
}
