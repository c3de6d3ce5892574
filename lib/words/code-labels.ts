import type { Language } from "../../messages/languages.ts";
import zhCn from "../../messages/zh-CN/apart/codes.ts";

const labelsByLanguage: Partial<Record<Language, Readonly<Record<string, string>>>> = { "zh-CN": zhCn };

/** The label of a code that people read, such as an action of the audit log. English is the contract's own label. */
export function codeLabel(language: Language, code: string, english: string): string {
  const labels = labelsByLanguage[language];
  return labels && Object.hasOwn(labels, code) ? (labels[code] ?? english) : english;
}

/** Labels by code, in the reader's language. */
export function codeLabels(language: Language, english: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...english].map(([code, label]) => [code, codeLabel(language, code, label)]));
}
