import { Fragment, useMemo } from "react";
import { type TokenKind, tokensOf } from "@/lib/code-tokens";

const looks: Record<Exclude<TokenKind, "plain">, string> = {
  comment: "text-code-comment",
  string: "text-code-string",
  number: "text-code-number",
  word: "text-code-word",
};

/** Code with coloured strings, numbers, keywords and comments. The text is unchanged. */
export function CodeColours({ code, language }: { code: string; language: string }) {
  const tokens = useMemo(() => tokensOf(code, language), [code, language]);
  return tokens.map(({ kind, text }, index) => {
    // The position is the key, because the same text may occur anywhere.
    const key = `${index} ${kind}`;
    if (kind === "plain") return <Fragment key={key}>{text}</Fragment>;
    return (
      <span key={key} className={looks[kind]}>
        {text}
      </span>
    );
  });
}
