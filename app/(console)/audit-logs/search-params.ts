import { parseAsString } from "nuqs/server";

/** The audit log's filter and its page. */
export const auditSearch = {
  action: parseAsString.withDefault(""),
  user_id: parseAsString.withDefault(""),
  after: parseAsString.withDefault(""),
  before: parseAsString.withDefault(""),
};
