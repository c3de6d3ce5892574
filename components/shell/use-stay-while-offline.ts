"use client";

import { useEffect } from "react";
import { useToast } from "@/components/ui/toast";

/** Without a connection, a link would end on the browser's error page, and typed text would be lost. */
export function useStayWhileOffline(offline: boolean): void {
  const { toast } = useToast();
  useEffect(() => {
    if (!offline) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const leaves = link instanceof HTMLAnchorElement && link.origin === location.origin && !link.download;
      if (!leaves || link.pathname + link.search === location.pathname + location.search) return;
      event.preventDefault();
      toast({ title: "You are offline", description: "Connect to the internet, then try again." });
    };
    document.addEventListener("click", onClick, true);
    return () => document.removeEventListener("click", onClick, true);
  }, [offline, toast]);
}
