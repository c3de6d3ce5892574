"use client";

import { useEffect } from "react";
import { useWords } from "#words";
import { stayedEvent } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";

/** Without a connection, a link would end on the browser's error page, and typed text would be lost. */
export function useStayWhileOffline(offline: boolean): void {
  const { toast } = useToast();
  const t = useWords("shell");
  useEffect(() => {
    if (!offline) return;
    const say = () => {
      toast({ title: t("stayOffline"), description: t("connectFirst") });
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const leaves = link instanceof HTMLAnchorElement && link.origin === location.origin && !link.download;
      if (!leaves || link.pathname + link.search === location.pathname + location.search) return;
      event.preventDefault();
      say();
    };
    document.addEventListener("click", onClick, true);
    window.addEventListener(stayedEvent, say);
    return () => {
      document.removeEventListener("click", onClick, true);
      window.removeEventListener(stayedEvent, say);
    };
  }, [offline, toast, t]);
}
