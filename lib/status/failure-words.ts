import type { ErrorDetail } from "#contract/error.ts";
import { isLanguage, type Language } from "../../messages/languages.ts";
import type { GatewayFailure } from "../gateway/result.ts";

/** The words for failures in one language. */
export interface FailureWords {
  language: Language;
  texts: Readonly<Record<string, string | undefined>>;
}

const loaders: Record<Language, () => Promise<{ default: FailureWords["texts"] }>> = {
  en: () => import("../../messages/en/apart/failures.ts"),
  "zh-CN": () => import("../../messages/zh-CN/apart/failures.ts"),
};

/** Loaded at the first failure, because there is a sentence for every code. */
export async function loadFailureWords(language: Language): Promise<FailureWords> {
  return { language, texts: (await loaders[language]()).default };
}

/** The language of the page in this browser. */
export function shownLanguage(): Language {
  const { lang } = document.documentElement;
  return isLanguage(lang) ? lang : "en";
}

/** A failure in a list: in English what the gateway says, in other languages the words for its code. */
export function failureInShort(
  { language, texts }: FailureWords,
  { code, message }: { code: string | null; message?: string | null },
): string | null {
  const own = language === "en" ? undefined : (texts[code ?? ""] ?? texts[`${code}Advice`]);
  return own ?? message ?? code;
}

/** Without its full stop: more text may follow in the line. */
export function firstSentence(text: string): string {
  return text.split(/\.(?:\s|$)|。/, 1)[0] ?? text;
}

/** What is wrong with one field of a request, by its keyword. The gateway's sentence has the limit and the values. */
export function detailText({ texts }: FailureWords, { keyword, message }: ErrorDetail): string {
  if (message === "must not be empty" && texts.empty) return texts.empty;
  if (message === "must not be blank" && texts.blank) return texts.blank;
  const text = texts[`keyword_${keyword}`];
  if (!text) return message;
  const [limit = ""] = /-?\d[\d.]*/.exec(message) ?? [];
  const values = message.replace(/^must be (?:one of )?/, "");
  return text.replace("LIMIT", limit).replace("VALUES", () => values);
}

/** Codes that say only that some value is wrong, so the field's own rule, or the gateway's sentence, says more. */
const general = new Set(["invalid_parameter", "missing_parameter"]);

/** A failure in a form, beside the field that it names, in words of the page's language. */
export async function fieldText(failure: FieldFailure): Promise<string> {
  const language = shownLanguage();
  if (language === "en") return failure.message;
  const words = await loadFailureWords(language).catch(() => null);
  return words === null ? failure.message : fieldWords(words, failure);
}

export function fieldWords(words: FailureWords, { code, message, details }: FieldFailure): string {
  const [detail] = details;
  const own = words.texts[`${code}Advice`];
  if (own && !general.has(code)) return own;
  if (detail && words.texts[`keyword_${detail.keyword}`]) return `${detailText(words, detail)}。`;
  return words.texts.notAccepted ? `${words.texts.notAccepted}（${message}）` : message;
}

type FieldFailure = Pick<GatewayFailure, "code" | "message" | "details">;
