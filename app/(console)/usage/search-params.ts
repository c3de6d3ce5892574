import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { usageSpans } from "@/lib/usage/span";

/** Filters of the account's usage, with the gateway's names. */
export const usageFilters = {
  model: parseAsString.withDefault(""),
  key_id: parseAsString.withDefault(""),
  user_id: parseAsString.withDefault(""),
  provider: parseAsString.withDefault(""),
  metadata: parseAsString.withDefault(""),
};

/** A number of days until today, a month (`2026-11`), or a range of days. */
export const timeSearch = {
  days: parseAsStringLiteral(usageSpans).withDefault("30"),
  month: parseAsString.withDefault(""),
  from: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
};

/** Period, filters, and the unit of the page (the cost if empty). */
export const usageSearch = { ...timeSearch, ...usageFilters, unit: parseAsString.withDefault("") };
