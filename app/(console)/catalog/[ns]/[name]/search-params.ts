import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const entryTabs = ["overview", "schema", "limits"] as const;
export type EntryTab = (typeof entryTabs)[number];

/** Which operation of the entry, and which side of it, is shown. */
export const entrySearchParams = {
  operation: parseAsString,
  tab: parseAsStringLiteral(entryTabs).withDefault("overview"),
};
