/** The languages of the console, by their own names. Each has a folder here with the same parts; English is complete. */
export const languages = { en: "English", "zh-CN": "简体中文" } as const;

export type Language = keyof typeof languages;
export const languageCodes = Object.keys(languages) as [Language, ...Language[]];

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text);
}
