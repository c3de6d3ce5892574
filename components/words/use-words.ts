import { useContext, useMemo } from "react";
import { usePreferences } from "@/components/shell/preferences";
import { type Formats, formatsOf } from "@/lib/format";
import { type Part, type Words, wordsOf } from "@/messages/words";
import { WordsContext } from "./words-provider.tsx";

/** How the reader's language writes numbers, times and lists. */
export function useFormats(): Formats {
  return formatsOf(useContext(WordsContext).language, usePreferences().timeZone);
}

/** The words of a part, which the page must have given with `WithWords`. */
export function useWords<Of extends Part>(part: Of): Words<Of> {
  const { language, messages } = useContext(WordsContext);
  const { timeZone } = usePreferences();
  const own = messages[part];
  if (!own) throw new Error(`The page gives no messages of ${part}: wrap it in WithWords.`);
  return useMemo(() => wordsOf(own, language, timeZone), [own, language, timeZone]);
}
