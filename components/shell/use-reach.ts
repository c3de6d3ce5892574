"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { usePageRouter } from "@/components/ui/use-place";
import { callRoute } from "@/lib/browser/gateway";
import { currentReach, onReach, type Reach } from "@/lib/browser/reach";

const askAgainMs = 2_000;

/** Whether the gateway can be reached; while it cannot, it is asked again, and the page is renewed when it answers. */
export function useReach(): Reach {
  const reach = useSyncExternalStore(onReach, currentReach, () => "reached" as const);
  const router = usePageRouter();
  const queries = useQueryClient();
  const wasAway = useRef(false);
  useEffect(() => {
    if (reach === "reached") {
      if (!wasAway.current) return;
      wasAway.current = false;
      router.refresh();
      return void queries.invalidateQueries();
    }
    wasAway.current = true;
    const timer = setInterval(() => void callRoute("GET /account"), askAgainMs);
    return () => clearInterval(timer);
  }, [reach, router, queries]);
  return reach;
}
