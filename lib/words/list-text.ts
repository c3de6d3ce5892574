import type { Language } from "../../messages/languages.ts";

/** `a, b, c`, `a, b and c`, `a, b or c`, or `a; b; c` for parts that may have commas. */
export type ListKind = "plain" | "conjunction" | "disjunction" | "parts";

/** Joins names or parts of a sentence as the language does. Empty parts are left out. */
export function listText(
  language: Language,
  parts: Iterable<string | null | undefined | false>,
  kind: ListKind = "conjunction",
): string {
  const items = [...parts].filter((part) => typeof part === "string" && part !== "") as string[];
  if (kind === "parts") return items.join(language === "zh-CN" ? "；" : "; ");
  // In Chinese, a comma of its own joins all names.
  if (language === "zh-CN" && kind !== "disjunction") return items.join("、");
  if (kind === "plain") return items.join(", ");
  // British English has no comma before the last item.
  return new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: kind }).format(items);
}
