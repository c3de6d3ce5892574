import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

/** The request log's filters and its page, under the names of the gateway's own query. */
export const requestSearch = {
  status: parseAsInteger,
  code: parseAsString.withDefault(""),
  model: parseAsString.withDefault(""),
  key_id: parseAsString.withDefault(""),
  actor: parseAsStringLiteral(["key", "user"]),
  after: parseAsString.withDefault(""),
  before: parseAsString.withDefault(""),
};
