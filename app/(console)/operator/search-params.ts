import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { apiTypes, regionNames } from "#contract/catalog-constants.ts";

/** The period of the figures on the page Health. */
export const healthSearchParams = { minutes: parseAsInteger.withDefault(60) };
export const loadHealthSearch = createLoader(healthSearchParams);

/** The scope of a price, by which the page selects one price. */
export const priceScopeParams = {
  model: parseAsString.withDefault(""),
  api_type: parseAsStringLiteral(apiTypes),
  provider: parseAsString,
  region: parseAsStringLiteral(regionNames),
  account: parseAsString,
};
export const loadPriceScope = createLoader(priceScopeParams);
