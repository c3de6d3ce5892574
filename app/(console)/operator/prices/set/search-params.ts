import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { apiTypes, regionNames } from "#contract/catalog-constants.ts";

/** The scope of a price; it selects the page of one price. */
export const priceScopeParams = {
  model: parseAsString.withDefault(""),
  api_type: parseAsStringLiteral(apiTypes),
  provider: parseAsString,
  region: parseAsStringLiteral(regionNames),
  account: parseAsString,
};
export const loadPriceScope = createLoader(priceScopeParams);
