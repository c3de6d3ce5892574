import { createLoader, parseAsString } from "nuqs/server";

/** `from`: the prediction, preset or kept output whose input is loaded into the draft. */
const playgroundSearchParams = { from: parseAsString };

export const loadPlaygroundSearchParams = createLoader(playgroundSearchParams);
