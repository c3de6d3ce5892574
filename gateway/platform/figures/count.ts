import type { FailedTry } from "#contract/usage.ts";
import type { FigureKind, FigureSums, Sum } from "./sums.ts";
import { addTime } from "./times.ts";

/** The summed amounts of a run, request, try or attempt, as far as known. */
export interface Amounts {
  bytesIn?: number | null;
  bytesOut?: number | null;
  tokensIn?: number | null;
  tokensOut?: number | null;
  /** How long output tokens were being generated. */
  generatingMs?: number | null;
  answerMs?: number | null;
  firstMs?: number | null;
  queueMs?: number | null;
}

/** A run or request, and its caller. */
export interface CountedRun extends Amounts {
  accountId: string;
  kind: FigureKind;
  model: string;
  operation: string;
  keyId: string;
  provider: string;
  region: string;
  status: number;
  code: string;
}

/** Counts a run or request by operation and by caller. */
export function countRun(sums: FigureSums, run: CountedRun, atMs: number, count = 1): void {
  const { accountId, kind, model, operation, keyId, provider, region, status, code } = run;
  add(sums.of({ accountId, set: "model", kind, model, operation, status, code }, atMs), run, count);
  add(sums.of({ accountId, set: "key", kind, keyId, provider, region, status, code }, atMs), run, count);
}

/** A try at an upstream; `code` is empty if it answered. */
export interface CountedTry extends Amounts {
  accountId: string;
  provider: string;
  model: string;
  region: string;
  status: number;
  code: string;
}

export function countTry(sums: FigureSums, tried: CountedTry, atMs: number): void {
  const { accountId, provider, model, region, status, code } = tried;
  add(sums.of({ accountId, set: "try", kind: "try", model, provider, region, status, code }, atMs), tried, 1);
}

/** The failed tries of a request, whether or not another upstream answered. */
export function countFailedTries(
  sums: FigureSums,
  accountId: string,
  tries: readonly FailedTry[],
  atMs: number,
): void {
  for (const { provider, model, region, code, status, duration_ms: answerMs } of tries)
    countTry(sums, { accountId, provider, model, region, code, status: status ?? 0, answerMs }, atMs);
}

/** An attempt of a webhook delivery; `code` is empty if it arrived. */
export function countAttempt(
  sums: FigureSums,
  accountId: string,
  atMs: number,
  attempt: Amounts & { code: string },
): void {
  const { code } = attempt;
  const status = code === "" ? 200 : 0;
  add(sums.of({ accountId, set: "delivery", kind: "delivery", status, code }, atMs), attempt, 1);
}

function add(sum: Sum, amounts: Amounts, count: number): void {
  sum.runs += count;
  sum.bytesIn += amounts.bytesIn ?? 0;
  sum.bytesOut += amounts.bytesOut ?? 0;
  sum.tokensIn += amounts.tokensIn ?? 0;
  sum.tokensOut += amounts.tokensOut ?? 0;
  sum.generatingMs += amounts.generatingMs ?? 0;
  if (amounts.answerMs != null) addTime(sum.times, "answer", amounts.answerMs);
  if (amounts.firstMs != null) addTime(sum.times, "first", amounts.firstMs);
  if (amounts.queueMs != null) addTime(sum.times, "queue", amounts.queueMs);
}
