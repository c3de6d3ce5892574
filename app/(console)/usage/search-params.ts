import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { usageSpans } from "@/lib/usage/span";

/** Which of the account's usage: under the gateway's own names. */
export const usageFilters = {
  model: parseAsString.withDefault(""),
  key_id: parseAsString.withDefault(""),
  user_id: parseAsString.withDefault(""),
  provider: parseAsString.withDefault(""),
  metadata: parseAsString.withDefault(""),
};

/** A number of days until today, or a month (`2026-11`), or from a day to a day. */
export const timeSearch = {
  days: parseAsStringLiteral(usageSpans).withDefault("30"),
  month: parseAsString.withDefault(""),
  from: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
};

/** The time, whose usage, and which unit is shown (what it cost, when empty). */
export const usageSearch = { ...timeSearch, ...usageFilters, unit: parseAsString.withDefault("") };
