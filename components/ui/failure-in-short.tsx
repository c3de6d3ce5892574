"use client";

import { useContext, useEffect, useState } from "react";
import { WordsContext } from "@/components/words/words-provider";
import { type FailureWords, failureInShort, loadFailureWords } from "@/lib/status/failure-words";

/** A failure in a row. In other languages than English, its words are loaded when it is shown. */
export function FailureInShort({ failure }: { failure: { code: string; message: string } }) {
  const { language } = useContext(WordsContext);
  const [words, setWords] = useState<FailureWords | null>(null);
  useEffect(() => {
    if (language === "en") return setWords(null);
    loadFailureWords(language).then(setWords, () => setWords({ language: "en", texts: {} }));
  }, [language]);
  if (language === "en") return failure.message;
  return words && <span title={failure.message}>{failureInShort(words, failure)}</span>;
}
