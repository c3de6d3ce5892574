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

const spaceFirst = new RegExp(`^ (?=${chinese})`, "u");
const spaceLast = new RegExp(`(?<=${chinese}) $`, "u");

/**
 * Takes the spaces out of the texts of a message that stand between Chinese and the piece of a tag, and puts what `gap`
 * makes there: only when the piece is shown, as a time that passes, is known whether it begins or ends with Chinese.
 */
export function withGaps(pieces: readonly unknown[], gap: (name: string) => unknown): unknown[] {
  return pieces.flatMap((piece, at) => {
    if (typeof piece !== "string") return [piece];
    const isFirst = at > 0 && spaceFirst.test(piece);
    const isLast = at < pieces.length - 1 && spaceLast.test(piece);
    return [
      ...(isFirst ? [gap(`gap before ${at}`)] : []),
      piece.slice(isFirst ? 1 : 0, isLast ? -1 : undefined),
      ...(isLast ? [gap(`gap after ${at}`)] : []),
    ];
  });
}

/** Where a text has Chinese: `begin`, `end`, `begin end`, or undefined. */
export function chineseEnds(text: string): string | undefined {
  const ends = [beginsChinese.test(text) && "begin", endsChinese.test(text) && "end"];
  return ends.filter(Boolean).join(" ") || undefined;
}
