"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
import { usePreferences } from "@/components/shell/preferences";
import { type Part, type PartMessages, type Words, wordsOf } from "@/lib/words/words";
import type { Language } from "@/messages/languages";

interface Known {
  language: Language;
  messages: Partial<Record<Part, PartMessages>>;
}

const WordsContext = createContext<Known>({ language: "en", messages: {} });

/** Gives the messages of some parts to the components in it, beside those that are given around it. */
export function WordsProvider({ language, messages, children }: Known & { children: ReactNode }) {
  const around = useContext(WordsContext);
  const known = useMemo(
    () => ({ language, messages: { ...around.messages, ...messages } }),
    [around, language, messages],
  );
  return <WordsContext value={known}>{children}</WordsContext>;
}

/** The words of a part, which the page must have given with `WithWords`. */
export function useWords<Of extends Part>(part: Of): Words<Of> {
  const { language, messages } = useContext(WordsContext);
  const { timeZone } = usePreferences();
  const own = messages[part];
  if (!own) throw new Error(`The page gives no messages of ${part}: wrap it in WithWords.`);
  return useMemo(() => wordsOf(own, language, timeZone), [own, language, timeZone]);
}
