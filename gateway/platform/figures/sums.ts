import { addPairs, pairsOf, type Times } from "./times.ts";

/**
 * `model`: runs and requests by model and operation. `key`: the same by key, provider and region. `payer`:
 * the same only by key. `try`: tries at upstreams by provider, model and region. `place`: requests, runs and
 * tries only by provider and region. `delivery`: webhook attempts. The database computes `payer` and `place`
 * from the longer sets.
 */
export type FigureSet = "model" | "key" | "payer" | "try" | "place" | "delivery";

/**
 * `answer`: a request for an operation, run or refused; `request`: any other; `run`: a prediction, a row of a
 * batch, or a background response.
 */
export type FigureKind = "answer" | "request" | "run" | "try" | "delivery";

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

export interface Sum extends Required<Labels> {
  /** The start of its minute or longer step, in ms since the epoch. */
  at: number;
  runs: number;
  bytesIn: number;
  bytesOut: number;
  tokensIn: number;
  tokensOut: number;
  generatingMs: number;
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
    into.runs += sum.runs;
    into.bytesIn += sum.bytesIn;
    into.bytesOut += sum.bytesOut;
    into.tokensIn += sum.tokensIn;
    into.tokensOut += sum.tokensOut;
    into.generatingMs += sum.generatingMs;
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
  };
}
