import { createLoader, parseAsArrayOf, parseAsString } from "nuqs/server";

const list = parseAsArrayOf(parseAsString).withDefault([]);

/** The catalog's search and facets, in the address. */
export const catalogSearchParams = {
  q: parseAsString.withDefault(""),
  modality: list,
  api_type: list,
  execution_mode: list,
  billing_unit: list,
  region: list,
  gate: list,
};

/** The models that stand side by side: `/catalog/compare?ids=svc/…,svc/…`. */
export const loadCompareSearchParams = createLoader({ ids: list });
