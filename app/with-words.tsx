import type { ReactNode } from "react";
import { WordsProvider } from "@/components/words/words-provider";
import { messagesOf } from "@/lib/server/words";
import type { Part } from "@/messages/words";

interface WithWordsProps {
  parts: readonly Part[];
  children: ReactNode;
}

/** Gives the messages of some parts, in the visitor's language, to the client components in it. */
export async function WithWords({ parts, children }: WithWordsProps) {
  return <WordsProvider {...(await messagesOf(parts))}>{children}</WordsProvider>;
}
