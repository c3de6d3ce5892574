import { createLoader, parseAsString } from "nuqs/server";

/** What a provider's page filled in already. */
export const loadNewModelSearch = createLoader({ provider: parseAsString, name: parseAsString });
