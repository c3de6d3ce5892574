import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { catalogOrders } from "./row.ts";

const list = parseAsArrayOf(parseAsString).withDefault([]);

/** The catalog's search and filters in the address. */
export const catalogSearchParams = {
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(catalogOrders).withDefault("suggested"),
  modality: list,
  api_type: list,
  execution_mode: list,
  billing_unit: list,
  region: list,
  gate: list,
};

export const entryTabs = ["overview", "schema", "limits"] as const;
export type EntryTab = (typeof entryTabs)[number];

/** The operation and the tab on a model's page. */
export const entrySearchParams = {
  operation: parseAsString,
  tab: parseAsStringLiteral(entryTabs).withDefault("overview"),
};
