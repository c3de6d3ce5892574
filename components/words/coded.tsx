import { Fragment, type ReactNode } from "react";
import type { Sentence } from "#contract/sentences.ts";
import { useWords } from "#words";
import { betweenSentences } from "@/messages/marks";
import type { Words } from "@/messages/words";
import { inEnglish } from "./in-english.tsx";

interface CodedProps {
  /** What the gateway says in English. */
  text: string;
  /** The same as codes. An older gateway sends none. */
  codes: readonly Sentence[] | undefined;
}

/** The values come with the key, so no type knows them. */
type SayAny = (key: string, values: object, tags: object) => ReactNode;

/** Sentences of the gateway in the reader's language, or its English if one of them has no words there. */
export function Coded({ text, codes }: CodedProps) {
  const t = useWords("sentences");
  const said = wordsFor(t, codes);
  if (!said) return <span lang="en">{text}</span>;
  return said.map(({ key, values, at }, index) => (
    <Fragment key={key}>
      {index > 0 && betweenSentences(t.language)}
      {at !== undefined && t("about", { place: at })}
      {(t.rich as SayAny)(key, values, inEnglish)}
    </Fragment>
  ));
}

/** A tag `english` of messages around a sentence of the gateway that has codes. */
export function inWords(text: string, codes: CodedProps["codes"]) {
  return { english: () => <Coded key="english" text={text} codes={codes} /> };
}

/** Null: the gateway's English is shown, as to readers of English. */
function wordsFor(t: Words<"sentences">, codes: CodedProps["codes"]) {
  if (t.language === "en" || !codes?.length) return null;
  const said = codes.flatMap(({ code, ...more }) => (t.has(code) ? [{ key: code, ...more }] : []));
  return said.length === codes.length ? said : null;
}
