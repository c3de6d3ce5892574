import { type inferParserType, parseAsString } from "nuqs/server";

/** The list's filter and its place, as they stand in the URL. */
export const uploadFilterParsers = {
  status: parseAsString,
  user_id: parseAsString,
  after: parseAsString,
  before: parseAsString,
};

export type UploadFilter = inferParserType<typeof uploadFilterParsers>;

/** Rows per page of the list. */
export const uploadPageSize = 50;
