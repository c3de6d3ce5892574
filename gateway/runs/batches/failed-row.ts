import type { ErrorCode } from "#contract/error.ts";
import type { Context } from "#gateway/context.ts";
import { everyone } from "#gateway/models/catalog/offered-entry.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Lease } from "#gateway/platform/core/leased-loop.ts";
import {
  afterFailure,
  outcomeUnknown,
  type Progress,
  TakenOverError,
} from "#gateway/runs/operations/leased-run.ts";
import { figuresOfFailure } from "#gateway/runs/operations/run-figures.ts";
import { NoRoomError } from "#gateway/runs/operations/take-room.ts";
import type { Claimed } from "./claim.ts";
import { apiTypeOf, errorOf } from "./read.ts";
import { isLeased, pauseFor, putBack, runOf, settleRow, stopFor } from "./settle-row.ts";

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
/** Where each row has its own model, what one model asks for stops no other. */
const ofOneModel = new Set<ErrorCode>([
  "model_not_allowed",
  "adult_attestation_required",
  "portrait_rights_attestation_required",
]);
/** Somebody can make room, then the batch goes on. */
const pausing = new Set<ErrorCode>(["budget_exceeded", "not_priced", "storage_limit_exceeded"]);

/** Decides what becomes of a row that could not start or has failed. */
export async function endFailedRow(
  context: Context,
  { batch, row }: Claimed,
  error: unknown,
  progress: Progress,
  lease: Lease,
): Promise<void> {
  if (error instanceof TakenOverError) return;
  if (error instanceof NoRoomError) return putBack(context, row, { batchWaitMs: error.waitMs });
  if (error instanceof ApiError && stopsAll(batch, error)) return stopFor(context, row, error);
  if (error instanceof ApiError && pausing.has(error.code)) return pauseFor(context, row, error);
  const after = afterFailure(error, progress, row.attempts, lease);
  if (after.next === "leave") return;
  if (after.next === "try again") {
    const { afterMs, attempts } = after;
    context.log.info({ batch: batch.id, row: row.row, err: error }, "a row did not start, will retry");
    return putBack(context, row, { afterMs, attempts });
  }
  if (!(error instanceof ApiError))
    context.log.error({ err: error, batch: batch.id, row: row.row }, "a row failed unexpectedly");
  const { failure, mayHaveRun } = after;
  const shown = mayHaveRun ? outcomeUnknown(failure.message) : failure;
  const figures = figuresOfFailure(runOf({ batch, row }), shown.code);
  await settleRow(context, row, isLeased(row), { status: "failed", error: errorOf(shown) }, null, figures);
}

function stopsAll({ kind }: Claimed["batch"], { code }: ApiError): boolean {
  return stopping.has(code) && !(kind === "comparison" && ofOneModel.has(code));
}

/** Ends a row whose process died after it had called the upstream, and puts back one that had not. */
export async function recoverRow(context: Context, { batch, row }: Claimed): Promise<void> {
  const compiled = context.catalog.operation(row.model, apiTypeOf(batch, row), everyone);
  const [provider] =
    compiled && row.svcRegion
      ? context.providers.route(compiled.model, compiled.operation, row.svcRegion)
      : [];
  if (row.dispatchedAt === null || provider?.restartable) return putBack(context, row);
  const error = outcomeUnknown(
    "The gateway stopped while it was running this row, so whether it ran is unknown.",
  );
  const figures = figuresOfFailure(runOf({ batch, row }), error.code);
  await settleRow(context, row, isLeased(row), { status: "failed", error: errorOf(error) }, null, figures);
}
