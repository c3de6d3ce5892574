import { createLoader, parseAsString } from "nuqs/server";

/** `from`: the prediction, preset, kept output or row of a comparison (`batch_….3`) whose input is loaded into the draft. */
const playgroundSearchParams = { from: parseAsString };

export const loadPlaygroundSearchParams = createLoader(playgroundSearchParams);
