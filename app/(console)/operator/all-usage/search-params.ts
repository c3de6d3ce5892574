import { parseAsString } from "nuqs/server";
import { timeSearch } from "../../usage/search-params.ts";

/** The operators' usage filters, with the gateway's names. */
export const operatorFilterNames = ["account_id", "model", "provider", "key_id", "user_id"] as const;
export type OperatorFilter = Partial<Record<(typeof operatorFilterNames)[number], string>>;

export const operatorUsageSearch = {
  ...timeSearch,
  account_id: parseAsString.withDefault(""),
  model: parseAsString.withDefault(""),
  provider: parseAsString.withDefault(""),
  key_id: parseAsString.withDefault(""),
  user_id: parseAsString.withDefault(""),
};
