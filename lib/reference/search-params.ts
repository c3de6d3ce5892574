import { parseAsString } from "nuqs/server";

/** What the reference is searched for, in the address. */
export const referenceSearchParams = { q: parseAsString.withDefault("") };
