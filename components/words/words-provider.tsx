"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import type { Language } from "@/messages/languages";
import type { Part, PartMessages } from "@/messages/words";

interface Known {
  language: Language;
  messages: Partial<Record<Part, PartMessages>>;
}

/** Apart from `useWords`, so that pages whose parts say nothing do not load what formats messages. */
export const WordsContext = createContext<Known>({ language: "en", messages: {} });

/** Gives the messages of some parts to the components in it, beside those that are given around it. */
export function WordsProvider({ language, messages, children }: Known & { children: ReactNode }) {
  const around = useContext(WordsContext);
  const known = useMemo(
    () => ({ language, messages: { ...around.messages, ...messages } }),
    [around, language, messages],
  );
  // A link from a page in another language keeps the document and its language.
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return <WordsContext value={known}>{children}</WordsContext>;
}
