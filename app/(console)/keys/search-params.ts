import { parseAsString } from "nuqs/server";

/** The filter of the list of keys, and its page. */
export const keySearch = {
  user_id: parseAsString.withDefault(""),
  after: parseAsString.withDefault(""),
  before: parseAsString.withDefault(""),
};
