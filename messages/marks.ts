import type { Language } from "./languages.ts";

/** Chinese has a space between its characters and figures, which Intl leaves out: `3 分钟`. */
export function spacedFigures(text: string): string {
  return text.replace(/\d(?=\p{Script=Han})|\p{Script=Han}(?=\d)/gu, "$& ");
}

/** `Billing (r.example)`, with the brackets of the language. */
export function bracketed(language: Language, text: string, more: string): string {
  return language === "zh-CN" ? `${text}（${more}）` : `${text} (${more})`;
}

/** Stands between two sentences. Chinese has no space there. */
export function betweenSentences(language: Language): string {
  return language === "zh-CN" ? "" : " ";
}

/** Stands where a value begins or ends with Chinese. Control characters are in no message and no value. */
const seam = "\0";
const chinese = String.raw`[\p{Script=Han}，。：；？！、“”（）《》【】…]`;
const beginsChinese = new RegExp(`^(?=${chinese})`, "u");
const endsChinese = new RegExp(`(?<=${chinese})$`, "u");
const needless = new RegExp(`(?<=${chinese}) ${seam}|${seam} (?=${chinese})|${seam}`, "gu");

/** The values of a Chinese message, marked for `joinValues`. */
export function markValues(values: object): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" ? value.replace(beginsChinese, seam).replace(endsChinese, seam) : value,
    ]),
  );
}

/**
 * Messages have a space on both sides of a name, as beside Latin letters. A name in Chinese has none:
 * `由 Ann 创建`, `由李明创建`.
 */
export function joinValues(text: string): string {
  return text.replace(needless, "");
}
