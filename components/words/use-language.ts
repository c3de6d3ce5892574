"use client";

import { flushSync } from "react-dom";
import { usePreferences } from "@/components/shell/preferences";
import { usePageRouter } from "@/components/ui/page/link";
import type { Language } from "@/messages/languages";

/** Changes the language of this browser. What was typed on the page stays. Null: the one that the browser asks for. */
export function useChangeLanguage(): (language: Language | null) => void {
  const { change } = usePreferences();
  const router = usePageRouter();
  return (language) => {
    // The cookie is written when the change is drawn, and the page is read again after it.
    flushSync(() => change({ language }));
    router.refresh();
  };
}
