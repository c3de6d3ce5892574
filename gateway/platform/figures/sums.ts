import type { AskedGuard, FailedTry } from "#contract/usage.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { executePrepared } from "#gateway/platform/database/prepared.ts";
import { figureAdditions } from "#gateway/platform/database/schema.ts";
import { addPairs, addTime, pairsOf, type Times } from "./times.ts";

/**
 * `model`: runs and requests by model and operation. `key`: the same by key, provider and region. `payer`:
 * the same only by key. `try`: tries at upstreams by provider, model and region. `place`: requests, runs and
 * tries only by provider and region. `delivery`: webhook attempts. `guard`: questions to guards, by their owner
 * (`provider`), stage (`operation`) and result (`code`). The database computes `payer` and `place`
 * from the longer sets.
 */
export type FigureSet = "model" | "key" | "payer" | "try" | "place" | "delivery" | "guard";

/**
 * `answer`: a request for an operation, run or refused; `request`: any other; `run`: a prediction, a row of a
 * batch, or a background response.
 */
export type FigureKind = "answer" | "request" | "run" | "try" | "delivery" | "guard";

/** The labels of a figure; labels that its set does not have are empty. */
export interface Labels {
  accountId: string;
  set: FigureSet;
  kind: FigureKind;
  model?: string;
  /** The route of a request, the kind of operation of a run. */
  operation?: string;
  keyId?: string;
  provider?: string;
  region?: string;
  status: number;
  code?: string;
}

/** What is added up, besides the times. */
export interface Totals {
  runs: number;
  bytesIn: number;
  bytesOut: number;
  tokensIn: number;
  tokensOut: number;
  generatingMs: number;
  /** Null: not counted. */
  tokensCached: number | null;
}

export function addTotals(into: Totals, from: Totals): void {
  into.runs += from.runs;
  into.bytesIn += from.bytesIn;
  into.bytesOut += from.bytesOut;
  into.tokensIn += from.tokensIn;
  into.tokensOut += from.tokensOut;
  into.generatingMs += from.generatingMs;
  into.tokensCached = together(into.tokensCached, from.tokensCached);
}

/** The sum of two counts, either of which may be unknown. */
function together(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0);
}

export interface Sum extends Required<Labels>, Totals {
  /** The start of its minute or longer step, in ms since the epoch. */
  at: number;
  times: Times;
}

const minuteMs = 60_000;

/** Adds up events per minute and labels, to be written together. */
export class FigureSums {
  private readonly sums = new Map<string, Sum>();
  /** The last sum of each set: consecutive events often have the same labels. */
  private readonly last: Partial<Record<FigureSet, Sum>> = {};

  /** The sum for these labels at this time. */
  of(labels: Labels, atMs: number): Sum {
    const at = Math.floor(atMs / minuteMs) * minuteMs;
    return this.sumAt(at, labels);
  }

  /** Adds a sum that was written earlier. */
  merge(sum: Omit<Sum, "times">, pairs: readonly number[]): void {
    const into = this.sumAt(sum.at, sum);
    addTotals(into, sum);
    addPairs(into.times, pairs);
  }

  get isEmpty(): boolean {
    return this.sums.size === 0;
  }

  values(): Sum[] {
    return [...this.sums.values()];
  }

  private sumAt(at: number, labels: Labels): Sum {
    const { accountId, set, kind, status } = labels;
    const { model = "", operation = "", keyId = "", provider = "", region = "", code = "" } = labels;
    const last = this.last[set];
    if (
      last !== undefined &&
      last.at === at &&
      last.accountId === accountId &&
      last.kind === kind &&
      last.model === model &&
      last.operation === operation &&
      last.keyId === keyId &&
      last.provider === provider &&
      last.region === region &&
      last.status === status &&
      last.code === code
    )
      return last;
    const name = `${at}\n${accountId}\n${set}\n${kind}\n${model}\n${operation}\n${keyId}\n${provider}\n${region}\n${status}\n${code}`;
    let sum = this.sums.get(name);
    if (!sum) {
      sum = {
        ...{ accountId, set, kind, model, operation, keyId, provider, region, status, code, at },
        ...{ runs: 0, bytesIn: 0, bytesOut: 0, tokensIn: 0, tokensOut: 0, generatingMs: 0 },
        times: new Map(),
        tokensCached: null,
      };
      this.sums.set(name, sum);
    }
    this.last[set] = sum;
    return sum;
  }
}

/** A sum with the tables' column names, to be sent as JSON. */
export function rowOf(sum: Sum): object {
  return {
    account_id: sum.accountId,
    set: sum.set,
    kind: sum.kind,
    model: sum.model,
    operation: sum.operation,
    key_id: sum.keyId,
    provider: sum.provider,
    region: sum.region,
    status: sum.status,
    code: sum.code,
    at: new Date(sum.at).toISOString(),
    runs: sum.runs,
    bytes_in: sum.bytesIn,
    bytes_out: sum.bytesOut,
    tokens_in: sum.tokensIn,
    tokens_out: sum.tokensOut,
    generating_ms: sum.generatingMs,
    times: pairsOf(sum.times),
    tokens_cached: sum.tokensCached,
  };
}

/**
 * The `insert` that adds to the figures. Put it last in the statement that writes the counted rows, so that
 * both are written or neither. It never waits for locks: a sweep folds the rows into minutes, hours and days
 * (`fold.ts`).
 */
export function additionOf(sums: FigureSums): SQL {
  return sql`insert into ${figureAdditions}
    select * from json_populate_recordset(null::figure_additions, ${additionsAsJson(sums)}::json)`;
}

export function additionsAsJson(sums: FigureSums): string {
  return JSON.stringify(sums.values().map(rowOf));
}

/** Adds to the figures, in the same transaction as the counted rows. */
export async function addFigures(queries: Queries, sums: FigureSums): Promise<void> {
  if (!sums.isEmpty) await executePrepared(queries, additionOf(sums));
}

/** The summed amounts of a run, request, try or attempt, as far as known. */
export interface Amounts {
  bytesIn?: number | null;
  bytesOut?: number | null;
  tokensIn?: number | null;
  tokensOut?: number | null;
  /** The part of `tokensIn` from the upstream's cache. */
  tokensCached?: number | null;
  /** How long output tokens were being generated. */
  generatingMs?: number | null;
  answerMs?: number | null;
  firstMs?: number | null;
  queueMs?: number | null;
}

/** A run or request, and its caller. */
interface CountedRun extends Amounts {
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
interface CountedTry extends Amounts {
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

/** A question to a guard. */
export function countQuestion(
  sums: FigureSums,
  accountId: string,
  { of: provider, stage: operation, result: code }: Pick<AskedGuard, "of" | "stage" | "result">,
  atMs: number,
): void {
  const labels = { accountId, set: "guard", kind: "guard", provider, operation, status: 0, code } as const;
  add(sums.of(labels, atMs), {}, 1);
}

function add(sum: Sum, amounts: Amounts, count: number): void {
  sum.runs += count;
  sum.bytesIn += amounts.bytesIn ?? 0;
  sum.bytesOut += amounts.bytesOut ?? 0;
  sum.tokensIn += amounts.tokensIn ?? 0;
  sum.tokensOut += amounts.tokensOut ?? 0;
  sum.generatingMs += amounts.generatingMs ?? 0;
  sum.tokensCached = (sum.tokensCached ?? 0) + (amounts.tokensCached ?? 0);
  if (amounts.answerMs != null) addTime(sum.times, "answer", amounts.answerMs);
  if (amounts.firstMs != null) addTime(sum.times, "first", amounts.firstMs);
  if (amounts.queueMs != null) addTime(sum.times, "queue", amounts.queueMs);
}
