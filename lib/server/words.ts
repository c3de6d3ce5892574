import "server-only";
import { cookies, headers } from "next/headers";
import { cache } from "react";
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

/** The pages that are in every language. The others are in English. */
const translatedPages = /^\/(sign-in|setup|forgot|reset|invite|email)(?:[?/]|$)/;

/** The language of the page that the visitor opened. */
export async function pageLanguage(): Promise<Language> {
  const path = (await headers()).get("x-gatehouse-path") ?? "";
  return translatedPages.test(path) ? requestLanguage() : "en";
}

/** The words of a part, for server components. */
export async function words<Of extends Part>(part: Of): Promise<Words<Of>> {
  const language = await requestLanguage();
  const preferences = parsePreferences((await cookies()).get(preferencesCookie)?.value);
  return wordsOf(compiledPart(language, part), language, displayZone(preferences));
}

/** The messages of some parts, for the browser. */
export async function messagesOf(
  parts: readonly Part[],
  inLanguage?: Language,
): Promise<{ language: Language; messages: Partial<Record<Part, PartMessages>> }> {
  const language = inLanguage ?? (await requestLanguage());
  return {
    language,
    messages: Object.fromEntries(parts.map((part) => [part, compiledPart(language, part)])),
  };
}
