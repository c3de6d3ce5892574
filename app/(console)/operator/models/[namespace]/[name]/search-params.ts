import { parseAsStringLiteral } from "nuqs/server";

export const modelTabs = ["form", "settings", "access", "revisions"] as const;

/** Which side of the model is shown. */
export const modelSearchParams = { tab: parseAsStringLiteral(modelTabs).withDefault("form") };
