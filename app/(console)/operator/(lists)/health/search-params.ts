import { createLoader, parseAsInteger } from "nuqs/server";

/** The period of the figures. */
export const healthSearchParams = { minutes: parseAsInteger.withDefault(60) };
export const loadHealthSearch = createLoader(healthSearchParams);
