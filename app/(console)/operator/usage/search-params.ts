import { parseAsStringLiteral } from "nuqs/server";

export const operatorUsageSpans = ["7", "30", "90"] as const;

/** How far back. */
export const operatorUsageSearch = { days: parseAsStringLiteral(operatorUsageSpans).withDefault("30") };
