import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const usageSpans = ["7", "30", "90"] as const;

/** Which of the account's usage: under the gateway's own names. */
export const usageFilters = {
  model: parseAsString.withDefault(""),
  key_id: parseAsString.withDefault(""),
  user_id: parseAsString.withDefault(""),
  provider: parseAsString.withDefault(""),
  metadata: parseAsString.withDefault(""),
};

/**
 * The time: a number of days until today, or a month (`2026-11`), or from a day to a day; and which unit is shown (what it cost,
 * when empty).
 */
export const usageSearch = {
  days: parseAsStringLiteral(usageSpans).withDefault("30"),
  month: parseAsString.withDefault(""),
  from: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
  ...usageFilters,
  unit: parseAsString.withDefault(""),
};
