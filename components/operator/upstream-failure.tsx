"use client";

import { useContext } from "react";
import { FailureInShort } from "@/components/ui/failure-in-short";
import { WordsContext } from "@/components/words/words-provider";

interface UpstreamFailureProps {
  /** The gateway's error code. An older gateway sends none for a key. */
  code: string | undefined;
  /** What the upstream said, or the gateway in English. */
  message: string;
}

/** A failure at an upstream. Other languages than English say first what its code means. */
export function UpstreamFailure({ code, message }: UpstreamFailureProps) {
  const { language } = useContext(WordsContext);
  const original = message !== "" && <span lang="en">{message}</span>;
  if (language === "en" || !code) return original || code;
  return (
    <>
      <FailureInShort failure={{ code, message: "" }} /> {original}
    </>
  );
}
