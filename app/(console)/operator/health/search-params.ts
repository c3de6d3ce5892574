import { createLoader, parseAsInteger } from "nuqs/server";

/** The period that the figures cover. */
export const healthSearchParams = { minutes: parseAsInteger.withDefault(60) };
export const loadHealthSearch = createLoader(healthSearchParams);
