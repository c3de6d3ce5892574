import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";

/** How far it is: a preset is picked, then its provider is connected, then models are chosen. */
export const loadConnectSearch = createLoader({
  preset: parseAsString,
  provider: parseAsString,
  step: parseAsStringLiteral(["run"]),
  test: parseAsStringLiteral(["now"]),
});
