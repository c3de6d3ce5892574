import type { RequestDetail } from "#contract/usage.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { requestLogs } from "#gateway/platform/database/schema.ts";
import { requestView } from "./list-requests.ts";

/** One request of an account. Throws `request_not_found`: also for one that history no longer holds. */
export async function getRequest(context: Context, accountId: string, id: string): Promise<RequestDetail> {
  const [row] = await context.database.queries
    .select()
    .from(requestLogs)
    .where(and(eq(requestLogs.id, id), eq(requestLogs.accountId, accountId)));
  if (!row)
    throw new ApiError(
      "request_not_found",
      `There is no request ${id} in the log.${forgottenNote(context.history, "request", id)}`,
    );
  const { provider, bytesIn, bytesOut, tokensOut, askedMs, firstMs, answeredMs, failedTries } = row;
  return {
    ...requestView(row, context.prices.book.currency),
    provider,
    bytes_in: bytesIn,
    bytes_out: bytesOut,
    tokens_out: tokensOut,
    asked_ms: askedMs,
    first_ms: firstMs,
    answered_ms: answeredMs,
    failed_tries: failedTries ?? [],
  };
}
