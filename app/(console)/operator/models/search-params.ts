import { parseAsString, parseAsStringLiteral } from "nuqs/server";

/** The filters of the list of models. */
export const ownModelsSearchParams = {
  q: parseAsString.withDefault(""),
  managed_by: parseAsStringLiteral(["operator", "specification"] as const),
};
