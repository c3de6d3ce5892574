import { type ErrorCode, errorCatalogue } from "#contract/error.ts";
import type { Context } from "#gateway/context.ts";
import type { SyncResult } from "#gateway/models/providers/provider.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { addFigures } from "#gateway/platform/figures/add.ts";
import { type Amounts, countFailedTries, countRun, countTry } from "#gateway/platform/figures/count.ts";
import { FigureSums } from "#gateway/platform/figures/sums.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";
import type { Served } from "./dispatch.ts";

/** A run for which no request waits, such as a batch row, and its caller. */
export interface UnattendedRun {
  accountId: string;
  keyId: string | null;
  userId: string | null;
  model: string;
  operation: string;
}

/**
 * The usage statistics of an unattended run that has ended, with its attempts at upstreams. Add them in the
 * transaction that settles the run.
 */
export function figuresOfAnswer(
  run: UnattendedRun,
  { result, provider, region }: Served<SyncResult>,
  trace: RunTrace,
): FigureSums {
  const sums = new FigureSums();
  const now = clock.now();
  const { accountId, model } = run;
  const answerMs = (trace.answeredMs ?? 0) - (trace.askedMs ?? 0);
  const tokens = tokensOf(result, answerMs);
  const where = { provider: provider.id, region, status: 200, code: "", answerMs, ...tokens };
  countRun(sums, { ...askedBy(run), ...where }, now);
  countTry(sums, { accountId, model, ...where }, now);
  if (trace.failures) countFailedTries(sums, accountId, trace.failures, now);
  return sums;
}

export function figuresOfFailure(run: UnattendedRun, code: ErrorCode): FigureSums {
  const sums = new FigureSums();
  const { status } = errorCatalogue[code];
  countRun(sums, { ...askedBy(run), provider: "", region: "", status, code }, clock.now());
  return sums;
}

/**
 * Counts the upstreams that did not start a run. If the database's answer is lost they may be counted twice:
 * nothing else is written in the same transaction.
 */
export async function countFailedStart(
  { database }: Pick<Context, "database">,
  accountId: string,
  { failures }: RunTrace,
): Promise<void> {
  if (failures === null) return;
  const sums = new FigureSums();
  countFailedTries(sums, accountId, failures, clock.now());
  await addFigures(database.queries, sums);
}

function askedBy({ accountId, keyId, userId, model, operation }: UnattendedRun) {
  return { accountId, kind: "run" as const, model, operation, keyId: keyId ?? userId ?? "" };
}

function tokensOf(result: SyncResult, generatingMs: number): Amounts {
  if (result.usage.unit !== "token") return {};
  const tokensOut = result.kind === "chat" ? result.completion.usage.completion_tokens : 0;
  return {
    tokensIn: result.usage.quantity - tokensOut,
    tokensOut,
    ...(tokensOut > 0 && { generatingMs }),
  };
}
