import { isLanguage, type Language } from "../../messages/languages.ts";

/** The longest `Accept-Language` that is read; browsers send less than 100 characters. */
const maxHeader = 500;

/**
 * The language that a browser asks for in `Accept-Language`, by its quality: one of ours, or one that is read by the
 * same people (`zh-TW` gets `zh-CN`). English if it names none.
 */
export function askedLanguage(header: string | null): Language {
  const wanted = (header ?? "")
    .slice(0, maxHeader)
    .split(",")
    .map((choice) => {
      const [tag = "", ...parameters] = choice.split(";").map((text) => text.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
      return { tag, quality: Number(quality) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const { tag } of wanted) {
    if (isLanguage(tag)) return tag;
    const [language] = tag.toLowerCase().split("-");
    if (language === "zh") return "zh-CN";
    if (language === "en") return "en";
  }
  return "en";
}
