"use client";

import { ServerOff, WifiOff } from "lucide-react";
import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";
import type { SessionState } from "@/lib/browser/session";
import type { SessionView } from "@/lib/session-view";
import { DisabledEndpoints } from "./disabled-endpoints.tsx";
import { useReach } from "./use-reach.ts";
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

/** What concerns every page: the connection or the gateway is gone, an endpoint was stopped, the session has ended. */
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
          <WifiOff size={16} aria-hidden className="text-warn" />
          You are offline. Pages show the last loaded data and update when you are back online.
        </p>
      )}
      {online && reach !== "reached" && (
        <p className="flex items-center gap-2 border-b bg-bad-soft px-4 py-2 tablet:px-6">
          <ServerOff size={16} aria-hidden className="shrink-0 text-bad" />
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
