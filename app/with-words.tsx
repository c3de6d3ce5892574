import type { ReactNode } from "react";
import { WordsProvider } from "@/components/words/words-provider";
import { messagesOf } from "@/lib/server/words";
import type { Language } from "@/messages/languages";
import type { Part } from "@/messages/words";

interface WithWordsProps {
  parts: readonly Part[];
  /** For pages that are not in all languages yet. */
  language?: Language;
  children: ReactNode;
}

/** Gives the messages of some parts, in the visitor's language, to the client components in it. */
export async function WithWords({ parts, language, children }: WithWordsProps) {
  return <WordsProvider {...(await messagesOf(parts, language))}>{children}</WordsProvider>;
}
