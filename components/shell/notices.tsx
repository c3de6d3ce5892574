"use client";

import { LogIn, WifiOff } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState, useSyncExternalStore } from "react";
import { LinkButton } from "@/components/ui/button";
import { sessionEndedEvent } from "@/lib/browser/gateway";
import { signInPath } from "@/lib/return-path";
import { DisabledEndpoints } from "./disabled-endpoints.tsx";
import { useStayWhileOffline } from "./use-stay-while-offline.ts";

/** What concerns every page: the connection is gone, an endpoint was stopped, the session has ended. */
export function Notices({ stoppedEndpoints }: { stoppedEndpoints: readonly string[] | null }) {
  const online = useSyncExternalStore(
    watchConnection,
    () => navigator.onLine,
    () => true,
  );
  useStayWhileOffline(!online);
  const [ended, setEnded] = useState(false);
  const pathname = usePathname();
  const search = useSearchParams().toString();

  useEffect(() => {
    const onEnded = () => setEnded(true);
    window.addEventListener(sessionEndedEvent, onEnded);
    return () => window.removeEventListener(sessionEndedEvent, onEnded);
  }, []);

  return (
    <div role="status">
      {!online && (
        <p className="flex items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6">
          <WifiOff size={16} aria-hidden className="text-warn" />
          You are offline. Pages show what they last knew and go on by themselves once the connection is back.
        </p>
      )}
      <DisabledEndpoints initial={stoppedEndpoints} />
      {ended && (
        <div className="flex flex-wrap items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6">
          <p className="min-w-0 flex-1">
            Your session has ended. What you typed is still on this page; signing in leads back here.
          </p>
          <LinkButton
            size="sm"
            href={signInPath(search ? `${pathname}?${search}` : pathname, "ended")}
            icon={<LogIn size={14} aria-hidden />}
          >
            Sign in again
          </LinkButton>
        </div>
      )}
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
