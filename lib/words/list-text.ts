import type { Language } from "../../messages/languages.ts";

/** `a, b, c`, `a, b and c` or `a, b or c`. */
export type ListKind = "plain" | "conjunction" | "disjunction";

/** Joins names or parts of a sentence as the language does. Empty parts are left out. */
export function listText(
  language: Language,
  parts: Iterable<string | null | undefined | false>,
  kind: ListKind = "conjunction",
): string {
  const items = [...parts].filter((part) => typeof part === "string" && part !== "") as string[];
  // In Chinese, a comma of its own joins all names.
  if (language === "zh-CN" && kind !== "disjunction") return items.join("、");
  if (kind === "plain") return items.join(", ");
  // British English has no comma before the last item.
  return new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: kind }).format(items);
}
