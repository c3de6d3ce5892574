import type { Language } from "../../messages/languages.ts";

/** `a, b and c`, or with `type` `disjunction` `a, b or c`, as the language joins them. */
export function listText(
  language: Language,
  items: readonly string[],
  type: "conjunction" | "disjunction" = "conjunction",
): string {
  // British English has no comma before the last item.
  return new Intl.ListFormat(language === "en" ? "en-GB" : language, { type }).format(items);
}
