"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { usePageRouter, usePlace } from "@/components/ui/page/use-place";
import { callRoute } from "@/lib/browser/gateway";
import { currentReach, onReach, type Reach } from "@/lib/browser/reach";
import type { SessionState } from "@/lib/browser/session";
import { queryKeys } from "@/lib/query-keys";
import type { SessionView } from "@/lib/session-view";
import { everyEndpoint, stoppedOf } from "@/lib/webhooks/stopped-endpoints";
import { ShellIcon } from "./shell-icon.tsx";
import { useStayWhileOffline } from "./use-stay-while-offline.ts";

const SessionEnded = dynamic(() => import("./session-ended.tsx").then((module) => module.SessionEnded), {
  ssr: false,
});

interface NoticesProps {
  /** How the visitor signed in. */
  kind: SessionView["kind"];
  session: SessionState;
  stoppedEndpoints: readonly string[] | null;
}

/**
 * Notices on every page: the connection or gateway is down, an endpoint was stopped, the session has ended.
 */
export function Notices({ kind, session, stoppedEndpoints }: NoticesProps) {
  const online = useSyncExternalStore(
    watchConnection,
    () => navigator.onLine,
    () => true,
  );
  useStayWhileOffline(!online);
  const reach = useReach();
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6">
          <ShellIcon name="wifi-off" size={16} className="text-warn" />
          You are offline. Pages show the last loaded data and update when you are back online.
        </p>
      )}
      {online && reach !== "reached" && (
        <p className="flex items-center gap-2 border-b bg-bad-soft px-4 py-2 tablet:px-6">
          <ShellIcon name="server-off" size={16} className="text-bad" />
          {reach === "no-gateway" ? "The gateway" : "The console"} cannot be reached. This page shows the last
          loaded data and updates when it is back.
        </p>
      )}
      {session === "open" && <DisabledEndpoints initial={stoppedEndpoints} />}
      {session !== "open" && <SessionEnded kind={kind} state={session} />}
    </div>
  );
}

function watchConnection(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

const askAgainMs = 2_000;

/**
 * Whether the gateway can be reached. While it cannot, it is asked again, and the page is reloaded once it
 * answers.
 */
function useReach(): Reach {
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

/** Loaded only when needed. */
const StoppedNotice = dynamic(() => import("./stopped-notice.tsx").then((module) => module.StoppedNotice), {
  loading: () => null,
});

const askEveryMs = 60_000;

/**
 * Warns on every page that the gateway stopped sending to endpoints. `initial` has their ids, so that the
 * first paint reserves the space, or null if the gateway cannot list them. Once dismissed, it stays hidden
 * until another endpoint stops.
 */
function DisabledEndpoints({ initial }: { initial: readonly string[] | null }) {
  const { path: pathname } = usePlace();
  const [putAway, setPutAway] = useState<readonly string[]>([]);
  const { data } = useQuery({
    queryKey: queryKeys.endpoints({ stopped: true }),
    queryFn: async () =>
      stoppedOf(await everyEndpoint((query) => callRoute("GET /webhooks/endpoints", { query }))) ?? [],
    enabled: initial !== null,
    initialData: initial ?? [],
    refetchInterval: askEveryMs,
    staleTime: askEveryMs,
  });
  const [first] = data;
  const href = data.length === 1 ? `/webhooks/endpoints/${first}` : "/webhooks/endpoints";
  // Home and the endpoints' own pages show it themselves, in more detail.
  const isShownElsewhere = pathname === "/" || pathname === href;
  if (first === undefined || isShownElsewhere || data.every((id) => putAway.includes(id))) return null;
  return <StoppedNotice count={data.length} href={href} onPutAway={() => setPutAway(data)} />;
}
