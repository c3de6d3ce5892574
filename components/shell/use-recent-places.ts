"use client";

import { useEffect } from "react";
import { usePlace } from "@/components/ui/page/use-place";
import { rememberPlace } from "@/lib/browser/recent-places";
import type { SessionView } from "@/lib/session-view";

/** After the name of a page in its title. */
const suffix = " · Gatehouse";

/** Keeps which pages this person opened last, for the palette; their titles come a little after their addresses. */
export function useRecentPlaces({ person, accountId }: Pick<SessionView, "person" | "accountId">): void {
  const { path } = usePlace();
  useEffect(() => {
    rememberPlace(person, accountId, path);
    const titled = () => {
      if (document.title.endsWith(suffix))
        rememberPlace(person, accountId, path, { title: document.title.slice(0, -suffix.length) });
    };
    const observer = new MutationObserver(titled);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [person, accountId, path]);
}
