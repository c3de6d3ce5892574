import { parseAsArrayOf, parseAsString } from "nuqs/server";

const list = parseAsArrayOf(parseAsString).withDefault([]);

/** The catalog's search and filters in the address. */
export const catalogSearchParams = {
  q: parseAsString.withDefault(""),
  modality: list,
  api_type: list,
  execution_mode: list,
  billing_unit: list,
  region: list,
  gate: list,
};
