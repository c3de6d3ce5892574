import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { apiTypes, regionNames } from "#contract/catalog-constants.ts";

/** The scope of a price, by which the page selects one price. */
export const priceScopeParams = {
  model: parseAsString.withDefault(""),
  api_type: parseAsStringLiteral(apiTypes),
  provider: parseAsString,
  region: parseAsStringLiteral(regionNames),
  account: parseAsString,
};
export const loadPriceScope = createLoader(priceScopeParams);
