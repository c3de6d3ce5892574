import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const entryTabs = ["overview", "schema", "limits"] as const;
export type EntryTab = (typeof entryTabs)[number];

/** The operation and the tab on the page. */
export const entrySearchParams = {
  operation: parseAsString,
  tab: parseAsStringLiteral(entryTabs).withDefault("overview"),
};
