import type { ErrorCode } from "#contract/error.ts";
import { everyone } from "#gateway/catalog/offered-entry.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { ProviderError } from "#gateway/core/provider-error.ts";
import { asApiError } from "#gateway/operations/dispatch.ts";
import type { Claimed } from "./claim.ts";
import { errorOf } from "./read.ts";
import { type Progress, TakenOverError } from "./run-row.ts";
import { isLeased, pauseFor, putBack, settleRow, stopFor } from "./settle-row.ts";
import { NoRoomError } from "./take-room.ts";

/** Who runs the batch may not go on: no other row would run either. */
const stopping = new Set<ErrorCode>([
  "revoked_api_key",
  "expired_api_key",
  "member_not_found",
  "second_factor_required",
  "role_not_allowed",
  "insufficient_scope",
  "user_session_required",
  "account_closing",
  "model_not_allowed",
  "adult_attestation_required",
  "portrait_rights_attestation_required",
]);
/** Somebody can make room, then the batch goes on. */
const pausing = new Set<ErrorCode>(["budget_exceeded", "storage_limit_exceeded"]);

/** How often a row that certainly did not start is tried, and how long it waits: twice as long each time. */
const maxAttempts = 6;
const firstWaitMs = 3_000;

/** Decides what becomes of a row that could not start or has failed. */
export async function afterFailure(
  context: Context,
  { batch, row }: Claimed,
  error: unknown,
  { isDispatched }: Progress,
  signal: AbortSignal,
): Promise<void> {
  if (error instanceof TakenOverError) return;
  if (error instanceof NoRoomError) return putBack(context, row, { batchWaitMs: error.waitMs });
  if (error instanceof ApiError && stopping.has(error.code)) return stopFor(context, row, error);
  if (error instanceof ApiError && pausing.has(error.code)) return pauseFor(context, row, error);
  const upstream = upstreamError(error);
  const hasStarted = isDispatched && upstream?.started !== "no";
  // This process stops: a row under way is settled by who takes it over.
  if (signal.aborted) return hasStarted ? undefined : putBack(context, row);
  const failure = asApiError(error);
  const mayPass = (failure.status >= 500 || failure.status === 429) && !upstream?.final;
  if (!hasStarted && mayPass && row.attempts + 1 < maxAttempts) {
    context.log.info(
      { batch: batch.id, row: row.row, reason: failure.message },
      "a row did not start, will retry",
    );
    const afterMs = Math.max(firstWaitMs * 2 ** row.attempts, upstream?.retryAfterMs ?? 0);
    return putBack(context, row, { afterMs, attempts: row.attempts + 1 });
  }
  if (!(error instanceof ApiError))
    context.log.error({ err: error, batch: batch.id, row: row.row }, "a row failed unexpectedly");
  const isUnknown = hasStarted && upstream?.started === "unknown";
  const { code, message } = isUnknown ? outcomeUnknown(failure.message) : failure;
  await settleRow(context, row, isLeased(row), { status: "failed", error: errorOf({ code, message }) });
}

/** Ends a row whose process died after it had called the upstream, and puts back one that had not. */
export async function recoverRow(context: Context, { batch, row }: Claimed): Promise<void> {
  const compiled = context.catalog.operation(row.model, batch.apiType, everyone);
  const [provider] =
    compiled && row.svcRegion
      ? context.providers.route(compiled.model, compiled.operation, row.svcRegion)
      : [];
  if (row.dispatchedAt === null || provider?.restartable) return putBack(context, row);
  const error = outcomeUnknown(
    "The gateway stopped while it was running this row, so whether it ran is unknown.",
  );
  await settleRow(context, row, isLeased(row), { status: "failed", error: errorOf(error) });
}

function outcomeUnknown(message: string): { code: "upstream_outcome_unknown"; message: string } {
  return { code: "upstream_outcome_unknown", message: `${message} It was not sent again.` };
}

function upstreamError(error: unknown): ProviderError | null {
  const cause = error instanceof ApiError ? error.cause : error;
  return cause instanceof ProviderError ? cause : null;
}
