import { pseudo } from "../../messages/compile.ts";
import type { Language } from "../../messages/languages.ts";
import zhCn from "../../messages/zh-CN/apart/codes.ts";
import zhCnEvents from "../../messages/zh-CN/apart/event-types.ts";

type ByLanguage = Partial<Record<Language, Readonly<Record<string, string>>>>;

const labels: ByLanguage = { "zh-CN": zhCn };
const eventTypes: ByLanguage = { "zh-CN": zhCnEvents };

/** The label of a code that people read, such as an action of the audit log. English is the contract's own label. */
export function codeLabel(language: Language | "en-XA", code: string, english: string): string {
  return wordsFor(labels, language, code, english);
}

/** When an event of this type is sent. English is the contract's own description. */
export function eventDescription(language: Language | "en-XA", type: string, english: string): string {
  return wordsFor(eventTypes, language, type, english);
}

function wordsFor(all: ByLanguage, language: Language | "en-XA", name: string, english: string): string {
  if (language === "en-XA") return pseudo(english);
  const own = all[language];
  return own && Object.hasOwn(own, name) ? (own[name] ?? english) : english;
}

/** Labels by code, in the reader's language. */
export function codeLabels(
  language: Language | "en-XA",
  english: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map([...english].map(([code, label]) => [code, codeLabel(language, code, label)]));
}
