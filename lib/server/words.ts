import "server-only";
import { cookies, headers } from "next/headers";
import { cache, use } from "react";
import { compiledPart } from "../../messages/compile.ts";
import type { Language } from "../../messages/languages.ts";
import { type Part, type PartMessages, type Words, wordsOf } from "../../messages/words.ts";
import { displayZone, parsePreferences, preferencesCookie } from "../preferences.ts";
import { askedLanguage } from "../words/asked-language.ts";

/** The language of this request: the one that was chosen in this browser, else the one that the browser asks for. */
export const requestLanguage = cache(async (): Promise<Language> => {
  const { language } = parsePreferences((await cookies()).get(preferencesCookie)?.value);
  return language ?? askedLanguage((await headers()).get("accept-language"));
});

const wordsOnce = cache(async (part: Part) => {
  const language = await requestLanguage();
  const preferences = parsePreferences((await cookies()).get(preferencesCookie)?.value);
  return wordsOf(compiledPart(language, part), language, displayZone(preferences));
});

/** The words of a part, for pages and other async components. */
export async function words<Of extends Part>(part: Of): Promise<Words<Of>> {
  return (await wordsOnce(part)) as unknown as Words<Of>;
}

/** The words of a part in components that the server renders: what `#words` means there. */
export function useWords<Of extends Part>(part: Of): Words<Of> {
  return use(wordsOnce(part)) as unknown as Words<Of>;
}

/** The messages of some parts, for the browser. */
export async function messagesOf(
  parts: readonly Part[],
): Promise<{ language: Language; messages: Partial<Record<Part, PartMessages>> }> {
  const language = await requestLanguage();
  return {
    language,
    messages: Object.fromEntries(parts.map((part) => [part, compiledPart(language, part)])),
  };
}
