import { createLoader, parseAsInteger } from "nuqs/server";

/** The time that the figures are of. */
export const healthSearchParams = { minutes: parseAsInteger.withDefault(60) };
export const loadHealthSearch = createLoader(healthSearchParams);
