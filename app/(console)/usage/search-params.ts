import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const usageSpans = ["7", "30", "90"] as const;

/** How far back, and which unit is shown (what it cost, when empty). */
export const usageSearch = {
  days: parseAsStringLiteral(usageSpans).withDefault("30"),
  unit: parseAsString.withDefault(""),
};
