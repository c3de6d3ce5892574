import { createLoader, parseAsString } from "nuqs/server";

/** Which preset the form is for; null: one is to be picked. */
export const loadNewProviderSearch = createLoader({ preset: parseAsString });
