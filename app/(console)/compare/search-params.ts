import { createLoader, parseAsArrayOf, parseAsString } from "nuqs/server";

/**
 * `from`: the prediction, preset, kept output or comparison whose input is tried. `operation`: the one whose draft in the
 * playground is (`svc/chat-1:chat-completions`). `models`: those that are chosen to begin with.
 */
const compareSearchParams = {
  from: parseAsString,
  operation: parseAsString,
  models: parseAsArrayOf(parseAsString).withDefault([]),
};

export const loadCompareSearchParams = createLoader(compareSearchParams);
export type CompareSearch = Awaited<ReturnType<typeof loadCompareSearchParams>>;
