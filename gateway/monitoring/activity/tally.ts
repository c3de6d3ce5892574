import type { ActivitySum, Percentiles } from "#contract/activity.ts";
import { addAmount, addRow, type FigureRow, noAmount } from "#gateway/platform/figures/read.ts";
import { type Measured, percentiles } from "#gateway/platform/figures/times.ts";

/** nginx's status of a client that left: nothing failed. */
const clientLeft = 499;

/** Adds up figures, and says what they show. */
export class Tally {
  private readonly all = noAmount();
  private readonly errors = new Map<string, number>();

  get runs(): number {
    return this.all.runs;
  }

  add(row: FigureRow): void {
    addRow(this.all, row);
    if (isError(row)) this.addErrors(row.code === "" ? String(row.status) : row.code, row.runs);
  }

  merge(other: Tally): void {
    addAmount(this.all, other.all);
    for (const [code, count] of other.errors) this.addErrors(code, count);
  }

  private addErrors(code: string, count: number): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + count);
  }

  view(): Omit<ActivitySum, "group"> {
    const { runs, bytesIn, bytesOut, tokensIn, tokensOut, generatingMs } = this.all;
    const codes = [...this.errors].map(([code, count]) => ({ code, count }));
    return {
      runs,
      errors: codes.reduce((sum, { count }) => sum + count, 0),
      errors_by_code: codes.sort((one, other) => other.count - one.count),
      bytes_in: bytesIn,
      bytes_out: bytesOut,
      tokens_in: tokensIn,
      tokens_out: tokensOut,
      tokens_per_second: generatingMs > 0 ? rounded((tokensOut / generatingMs) * 1000) : null,
      latency_ms: this.percentiles("answer"),
      first_token_ms: this.percentiles("first"),
      queue_ms: this.percentiles("queue"),
    };
  }

  private percentiles(of: Measured): Percentiles {
    const [p50 = null, p95 = null, p99 = null] = percentiles(this.all.times, of, [0.5, 0.95, 0.99]);
    return { p50: p50 && rounded(p50), p95: p95 && rounded(p95), p99: p99 && rounded(p99) };
  }
}

/** An attempt without an answer has no status. */
function isError({ status, code }: FigureRow): boolean {
  return code !== "" || (status >= 400 && status !== clientLeft);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
