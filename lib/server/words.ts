import "server-only";
import { cookies, headers } from "next/headers";
import { cache, use } from "react";
import { compiledPart } from "../../messages/compile.ts";
import type { Language } from "../../messages/languages.ts";
import { type Part, type PartMessages, type Words, wordsOf } from "../../messages/words.ts";
import { type Formats, formatsOf } from "../format.ts";
import { displayZone, parsePreferences, preferencesCookie } from "../preferences.ts";
import { askedLanguage } from "../words/asked-language.ts";

/** The language of this request: the one that was chosen in this browser, else the one that the browser asks for. */
export const requestLanguage = cache(async (): Promise<Language> => {
  const { language } = parsePreferences((await cookies()).get(preferencesCookie)?.value);
  return language ?? askedLanguage((await headers()).get("accept-language"));
});

/** The language of the messages: the pseudo-language in a browser test that asks for it, which people never get. */
export const messageLanguage = cache(async (): Promise<Language | "en-XA"> => {
  const isTest = process.env.CONSOLE_PSEUDO_LANGUAGE === "on";
  if (isTest && (await headers()).get("accept-language")?.startsWith("en-XA")) return "en-XA";
  return requestLanguage();
});

const wordsOnce = cache(async (part: Part) => {
  const language = await requestLanguage();
  const preferences = parsePreferences((await cookies()).get(preferencesCookie)?.value);
  return wordsOf(compiledPart(await messageLanguage(), part), language, displayZone(preferences));
});

/** The words of a part, for pages and other async components. */
export async function words<Of extends Part>(part: Of): Promise<Words<Of>> {
  return (await wordsOnce(part)) as unknown as Words<Of>;
}

/** The words of a part in components that the server renders: what `#words` means there. */
export function useWords<Of extends Part>(part: Of): Words<Of> {
  return use(wordsOnce(part)) as unknown as Words<Of>;
}

/** How the reader's language writes numbers, times and lists. */
export const formats = cache(async (): Promise<Formats> => {
  const preferences = parsePreferences((await cookies()).get(preferencesCookie)?.value);
  return formatsOf(await requestLanguage(), displayZone(preferences));
});

/** The same in components that are not async: what `#words` means on the server. */
export function useFormats(): Formats {
  return use(formats());
}

/** The messages of some parts, for the browser. */
export async function messagesOf(
  parts: readonly Part[],
): Promise<{ language: Language; messages: Partial<Record<Part, PartMessages>> }> {
  const [language, written] = [await requestLanguage(), await messageLanguage()];
  return {
    language,
    messages: Object.fromEntries(parts.map((part) => [part, compiledPart(written, part)])),
  };
}
