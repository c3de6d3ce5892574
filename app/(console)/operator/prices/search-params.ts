import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { apiTypes, regionNames } from "#contract/catalog-constants.ts";

/** What the list shows. */
export const pricesSearchParams = { q: parseAsString.withDefault("") };

/** What a price is for; the page of one price. */
export const priceScopeParams = {
  model: parseAsString.withDefault(""),
  api_type: parseAsStringLiteral(apiTypes),
  provider: parseAsString,
  region: parseAsStringLiteral(regionNames),
  account: parseAsString,
};
export const loadPriceScope = createLoader(priceScopeParams);
