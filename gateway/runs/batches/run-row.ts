import { readActorNow } from "#gateway/access/accounts/read-credential.ts";
import { type KeptCharge, keptCharge } from "#gateway/billing/prices/price-lines.ts";
import type { ProviderOutput, SyncResult } from "#gateway/models/providers/provider.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import type { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Lease } from "#gateway/platform/core/leased-loop.ts";
import { batchRows } from "#gateway/platform/database/schema.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { RunTrace } from "#gateway/platform/http/run-trace.ts";
import { keepContent, ranUnattended } from "#gateway/runs/contents/keep.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { answerOf, speechAs } from "#gateway/runs/execution/answers.ts";
import { type ChatCompletionObject, formatWhole } from "#gateway/runs/execution/chat-front.ts";
import { withGuards } from "#gateway/runs/guards/with-guards.ts";
import { type Admitted, admit, operationFor } from "#gateway/runs/operations/admit.ts";
import { Attempts } from "#gateway/runs/operations/attempts.ts";
import { asApiError, dispatch, type Served } from "#gateway/runs/operations/dispatch.ts";
import type { OutputCheck } from "#gateway/runs/operations/output-check.ts";
import { storeGeneration } from "#gateway/runs/operations/outputs.ts";
import { tracedUnless, usageOfSync, withSyncRequest } from "#gateway/runs/operations/sync-request.ts";
import {
  countFailedStart,
  figuresOfAnswer,
  leaseOfCall,
  type Progress,
  retryUntilSaved,
  TakenOverError,
  takeRoom,
  waitForTokens,
} from "#gateway/runs/operations/unattended-run.ts";
import { execute } from "#gateway/runs/operations/upstream-chat.ts";
import type { AdmittedRun } from "#gateway/runs/operations/with-budget.ts";
import { acceptPrediction } from "#gateway/runs/predictions/accept.ts";

import { formatResponse } from "#gateway/runs/responses/format-response.ts";
import type { ResponseRequest } from "#gateway/runs/responses/request.ts";
import type { Claimed } from "./claim.ts";
import { apiTypeOf } from "./read.ts";
import { requestOfRow } from "./row-body.ts";
import { isLeased, type RowOutcome, type RowUsage, runOf, settleRow } from "./settle.ts";
import type { BatchRecord } from "./view.ts";

export interface RowProgress extends Progress {
  /** What the account pays although a guard refused the output; null: none did. */
  ran: RowUsage | null;
}

/**
 * Runs a leased row as if the batch's owner sent it now: permission, limits, gates and budget are checked
 * again. A sync operation ends with its row; an async one becomes a prediction. Throws the reason if the row
 * cannot start.
 */
export async function runRow(
  context: RunsContext,
  { batch, row }: Claimed,
  progress: RowProgress,
  lease: Lease,
): Promise<void> {
  const actor = await actorOf(context, batch);
  const release = await takeRoom(context, actor);
  try {
    const apiType = apiTypeOf(batch, row);
    const compiled = operationFor(context, actor, apiType, { model: row.model });
    const { input, response } = await requestOfRow(context, actor, compiled, row.input ?? {}, batch.openAi);
    const call = { apiType, ...input, ...(batch.declinesContents && { declinesContents: true }) };
    const admitted = { ...(await admit(context, actor, call)), batchId: batch.id };
    const isAsync = compiled.operation.execution_mode === "async";
    const { log } = context;
    const { signal } = lease;
    const guarded = { requestId: batch.requestId, signal, log, passed: new Set<string>() };
    await withGuards(context, admitted, guarded, (passed, run) =>
      isAsync
        ? becomePrediction(context, { batch, row }, passed, run, signal)
        : runSync(context, { batch, row, response }, passed, run, progress, lease),
    ).catch(waitForTokens);
  } finally {
    release();
  }
}

/**
 * The person or key that the batch runs as, with current permissions. Throws if they may no longer run
 * operations.
 */
async function actorOf(context: RunsContext, batch: Claimed["batch"]): Promise<Actor> {
  const { database } = context;
  const { accountId, runsAsKeyId: keyId, runsAsUserId: userId } = batch;
  const actor = await readActorNow(database, { accountId, keyId, userId });
  await assertPermitted(database.queries, actor, "operations:run");
  return batch.budgets === null ? actor : { ...actor, hasMoneyLimit: true };
}

/** Links the row and its prediction in one transaction, so that neither exists twice or without the other. */
async function becomePrediction(
  context: RunsContext,
  { batch, row }: Claimed,
  admitted: Admitted,
  run: AdmittedRun,
  signal: AbortSignal,
): Promise<void> {
  await acceptPrediction(context, admitted, run, {
    requestId: batch.requestId,
    signal,
    detail: { request_id: batch.requestId, batch_id: batch.id, row: row.row },
    async alongside(queries) {
      const linked = await queries
        .update(batchRows)
        .set({ predictionId: run.id, runId: run.id, leaseOwner: null, leaseExpiresAt: null })
        .where(isLeased(row))
        .returning({ row: batchRows.row });
      if (linked.length === 0) throw new TakenOverError();
    },
  });
}

async function runSync(
  context: RunsContext,
  { batch, row, response }: Claimed & { response: ResponseRequest | null },
  admitted: Admitted,
  run: AdmittedRun,
  progress: RowProgress,
  lease: Lease,
): Promise<void> {
  const { signal } = lease;
  const log = context.log.child({ batch: row.batchId, row: row.row });
  const { queries } = context.database;
  const deadline = new Date(clock.now() + context.config.predictionDeadlineMs);
  await withSyncRequest(context, admitted, run, { signal, log }, async (request) => {
    const { leaseExpiresAt } = leaseOfCall(context, request, lease);
    const marked = await queries
      .update(batchRows)
      .set({
        dispatchedAt: clock.date(),
        leaseExpiresAt,
        runId: run.id,
        svcRegion: admitted.region,
      })
      .where(isLeased(row))
      .returning({ row: batchRows.row });
    if (marked.length === 0) throw new TakenOverError();
    progress.isDispatched = true;
    const trace = new RunTrace();
    const { check = null } = run;
    const keepRow = (answer: unknown, failure: ApiError | null): void =>
      keepContent(context, ranUnattended(admitted, run.id, answer, failure));
    const served = await dispatch(context, {
      request,
      admitted,
      attempts: new Attempts(context, trace),
      run: execute,
      told: tracedUnless(check),
    }).catch(async (error: unknown) => {
      if (!signal.aborted) keepRow(null, asApiError(error));
      await countFailedStart(context, batch.accountId, trace).catch((err: unknown) =>
        log.warn({ err }, "failed tries of a row could not be counted"),
      );
      throw error;
    });
    const usage = usageOfSync(context, admitted, served);
    const figures = figuresOfAnswer(runOf({ batch, row }), served, trace);
    const saved = <Result>(work: () => Promise<Result>) => retryUntilSaved({ log, signal }, deadline, work);
    const patience = { signal, until: deadline.getTime(), check };
    const kept = await allowed(check, served)
      .then((shown) =>
        saved(() => keep(context, { batch, response, admitted, id: run.id }, shown, patience, keepRow)),
      )
      .catch((error: unknown) => {
        if (check === null || error !== check.refusal) throw error;
        progress.ran = { usage, reservedCost: run.reservedCost };
        keepRow(null, asApiError(error));
        throw error;
      });
    const outcome = { ...succeeded(served, kept), ...keptCharge(usage.priced) };
    await saved(() =>
      settleRow(context, row, isLeased(row), outcome, { usage, reservedCost: run.reservedCost }, figures),
    );
  });
}

/** The same result once guards have allowed it; they are asked about images when these are stored. */
async function allowed(check: OutputCheck | null, served: Served<SyncResult>): Promise<Served<SyncResult>> {
  return check ? { ...served, result: await check.result(served.result) } : served;
}

type Succeeded = Omit<Extract<RowOutcome, { status: "succeeded" }>, keyof KeptCharge>;
type Kept = Pick<Succeeded, "output" | "files" | "expiresAt">;

function succeeded({ result, region, provider }: Served<SyncResult>, kept: Kept): Succeeded {
  const { unit, quantity } = result.usage;
  return { ...kept, status: "succeeded", unit, quantity, svcRegion: region, sandbox: provider.sandbox };
}

/** Puts media into the store; other results are saved in the row. */
async function keep(
  context: RunsContext,
  {
    batch,
    response,
    admitted,
    id,
  }: { batch: BatchRecord; response: ResponseRequest | null; admitted: Admitted; id: string },
  served: Served<SyncResult>,
  patience: { signal: AbortSignal; until: number; check: OutputCheck | null },
  told: (answer: unknown, failure: null) => void,
): Promise<Kept> {
  const outputs = await mediaOf(served.result, admitted.body.response_format);
  if (outputs) {
    // Guards were asked about speech as it came.
    const check = served.result.kind === "images" ? patience.check : null;
    const stored = await storeGeneration(context, admitted, served, outputs, { ...patience, check });
    told(null, null);
    return { output: null, ...stored };
  }
  const { body } = await answerOf(context, admitted, id, served, patience);
  told(body, null);
  // The output file for OpenAI's clients must be complete until a day after the batch ended, so its files are
  // kept at least that long.
  const from = batch.openAi ? batch.deadlineAt.getTime() : clock.now();
  return {
    output: Buffer.isBuffer(body) ? { text: body.toString() } : asAsked(body, response),
    files: null,
    expiresAt: new Date(from + context.retention.of(batch.accountId)),
  };
}

/** A chat's answer as a response, if the caller requested a response. */
function asAsked(body: unknown, response: ResponseRequest | null): Record<string, unknown> {
  if (!response) return body as Record<string, unknown>;
  const completion = body as ChatCompletionObject;
  return formatWhole(formatResponse(completion, response, false), completion).body() as Record<
    string,
    unknown
  >;
}

async function mediaOf(result: SyncResult, format: unknown): Promise<ProviderOutput[] | null> {
  if (result.kind === "images") return result.outputs;
  return result.kind === "speech" ? [await speechAs(format, result)] : null;
}
