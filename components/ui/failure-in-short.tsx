"use client";

import { useContext, useEffect, useState } from "react";
import { WordsContext } from "@/components/words/words-provider";

interface Failure {
  code: string;
  message: string;
}

/** A failure in a row. In other languages than English, its words are loaded when it is shown. */
export function FailureInShort({ failure }: { failure: Failure }) {
  const { language } = useContext(WordsContext);
  const [say, setSay] = useState<((failure: Failure) => string | null) | null>(null);
  useEffect(() => {
    if (language === "en") return;
    import("@/lib/status/failure-words")
      .then(async ({ failureInShort, loadFailureWords }) => {
        const words = await loadFailureWords(language);
        setSay(() => (one: Failure) => failureInShort(words, one));
      })
      .catch(() =>
        setSay(
          () =>
            ({ message }: Failure) =>
              message,
        ),
      );
  }, [language]);
  if (language === "en") return failure.message;
  return say && <span title={failure.message}>{say(failure)}</span>;
}
