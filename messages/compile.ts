import compile from "icu-minify/compile";
import en from "./en/index.ts";
import type { Language } from "./languages.ts";
import type { Part, PartMessages } from "./words.ts";
import zhCn from "./zh-CN/index.ts";

/** Each language; adding one is its folder and a line here and in `languages.ts`. */
export const catalogues: Record<Language, Partial<Record<Part, Record<string, string>>>> = {
  en,
  "zh-CN": zhCn,
};

/**
 * English that shows what is not translated and what does not fit, for browser tests: each message has marks at its
 * ends and is 30 % longer.
 */
export function pseudo(text: string): string {
  const letters = text.replaceAll(/\{[^{}]*\}|<\/?\w+>/g, "").length;
  // In words, because lines of a real language break too.
  const more = "~".repeat(Math.ceil(letters * 0.3)).replaceAll(/~{9}(?=~)/g, "~~~~~~~~ ");
  return `⟦${text}${more}⟧`;
}

const compiled = new Map<string, PartMessages>();

/** The messages of a part as browsers get them, compiled once. What a language lacks is in English. */
export function compiledPart(language: Language | "en-XA", part: Part): PartMessages {
  const name = `${language} ${part}`;
  const known = compiled.get(name);
  if (known) return known;
  const texts: Record<string, string> = {
    ...catalogues.en[part],
    ...(language !== "en-XA" && catalogues[language][part]),
  };
  const made = Object.fromEntries(
    // The compiler's objects have no prototype, which React refuses to send.
    Object.entries(texts).map(([key, text]) => [
      key,
      JSON.parse(JSON.stringify(compile(language === "en-XA" ? pseudo(text) : text))),
    ]),
  );
  compiled.set(name, made);
  return made;
}
