import { parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

const text = parseAsString.withDefault("");

/** The request log's filters and its page, under the names of the gateway's own query. */
export const requestSearch = {
  status: parseAsInteger,
  status_class: text,
  code: text,
  route: text,
  model: text,
  key_id: text,
  actor: parseAsStringLiteral(["key", "user"]),
  /** A key of `spans`, or empty. */
  since: text,
  created_after: text,
  created_before: text,
  console_reads: parseAsBoolean.withDefault(false),
  after: text,
  before: text,
};
