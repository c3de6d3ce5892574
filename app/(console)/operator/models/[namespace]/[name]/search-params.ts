import { parseAsStringLiteral } from "nuqs/server";

export const modelTabs = ["form", "settings", "access", "revisions"] as const;

/** The tab that is shown. */
export const modelSearchParams = { tab: parseAsStringLiteral(modelTabs).withDefault("form") };
