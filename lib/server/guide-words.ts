import "server-only";
import { pseudo } from "../../messages/compile.ts";
import type { Language } from "../../messages/languages.ts";
import zhCn from "../../messages/zh-CN/apart/guides.ts";
import { messageLanguage } from "./words.ts";

/** What the guides say, by their English text. */
const guideWords: Partial<Record<Language, Readonly<Record<string, string>>>> = { "zh-CN": zhCn };

/** Says a text of a guide in the reader's language. A text that is the same in every language is not in the list. */
export async function guideText(): Promise<(english: string) => string> {
  const language = await messageLanguage();
  if (language === "en-XA") return pseudo;
  const words = guideWords[language];
  return (english) => (words && Object.hasOwn(words, english) ? (words[english] ?? english) : english);
}
