import { createLoader, parseAsString } from "nuqs/server";

/** What another page filled in already. */
export const loadNewRouteSearch = createLoader({
  provider: parseAsString,
  upstream: parseAsString,
  model: parseAsString,
});
