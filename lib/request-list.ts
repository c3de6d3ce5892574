import { type FilterNameOf, listView } from "./list-view.ts";

/**
 * The request log. The console's reads are left out unless the user includes them. `said` has words of the contents,
 * which another route searches.
 */
export const requestList = listView(
  [
    "runs",
    "status",
    "status_class",
    "code",
    "route",
    "model",
    "key_id",
    "user_id",
    "actor",
    "metadata",
    "client_request_id",
    "conversation",
    "contents",
    "said",
    "console_reads",
  ],
  ({ runs, console_reads, status, contents, said: _, ...filter }) => ({
    ...filter,
    ...(runs === "true" && { runs: true }),
    ...(contents === "kept" && { contents }),
    ...(status !== undefined && { status: Number(status) }),
    ...(console_reads !== "true" && { console_reads: false }),
  }),
);
export type RequestFilterName = FilterNameOf<typeof requestList>;
