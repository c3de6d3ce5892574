import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const ownModelsSearchParams = {
  q: parseAsString.withDefault(""),
  managed_by: parseAsStringLiteral(["operator", "specification"] as const),
};
