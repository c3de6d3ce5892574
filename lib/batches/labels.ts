import type { Batch, BatchCounts, BatchEstimate, BatchFault, BatchMostCost } from "#contract/batches.ts";
import { asSentence, formatCount, formatNumber } from "../format.ts";
import { formatMoney } from "../money.ts";

export function batchTitle({ name, counts, model }: Pick<Batch, "name" | "counts" | "model">): string {
  return name ?? `${formatCount(counts.total, "row")} of ${model}`;
}

/** Rows that ran to the end. Canceled rows do not count. */
export function ranRows({ succeeded, failed }: BatchCounts): number {
  return succeeded + failed;
}

/** `12 of 40 rows ran, 2 failed, 20 canceled`; a comparison has models instead of rows. */
export function progressLabel(counts: BatchCounts, noun = "row"): string {
  const { failed, canceled } = counts;
  return [
    `${formatNumber(ranRows(counts))} of ${formatCount(counts.total, noun)} ran`,
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
    ...(canceled > 0 ? [`${formatNumber(canceled)} canceled`] : []),
  ].join(", ");
}

/** The cost of the rows so far and in total: `0.12 USD so far, about 0.48 USD in all`. */
export function costLabel({ cost, counts }: Pick<Batch, "cost" | "counts">): string {
  const { amount, currency, estimated, not_priced_rows: notPriced } = cost;
  const isOver = counts.queued + counts.running === 0;
  if (estimated === null) return notPriced > 0 ? "not priced" : "nothing paid yet";
  // As of a single run: "Sandbox: costs nothing".
  if (amount === "0" && estimated === "0" && notPriced === 0) return "costs nothing";
  return [
    `${formatMoney(amount, currency)}${isOver ? "" : " so far"}`,
    ...(isOver ? [] : [`about ${formatMoney(estimated, currency)} in all`]),
    ...(notPriced > 0 ? [`${formatCount(notPriced, "row")} not priced`] : []),
  ].join(", ");
}

/** The maximum cost of the rows: `at most 1.20 USD`. */
export function maxCostLabel({ amount, currency, reason }: BatchMostCost): string {
  if (amount !== null) return amount === "0" ? "costs nothing" : `at most ${formatMoney(amount, currency)}`;
  return reason === "no_maximum" ? "its cost has no known maximum" : "not priced";
}

/** The estimated usage of the rows: `at most 240 seconds`. */
export function estimateLabel({ unit, quantity }: BatchEstimate): string {
  return quantity === null ? `billed per ${unit}` : `at most ${formatCount(quantity, unit)}`;
}

/** Faults by table row. `sent` lists the table rows that were checked. */
export function faultsByRow(
  faults: readonly BatchFault[],
  sent: readonly number[],
): Map<number, BatchFault[]> {
  const byRow = new Map<number, BatchFault[]>();
  for (const fault of faults) {
    const row = sent[(fault.row ?? 0) - 1];
    if (row === undefined) continue;
    byRow.set(row, [...(byRow.get(row) ?? []), fault]);
  }
  return byRow;
}

/** `Line 5, duration: must be at most 10.` */
export function describeFault({ line, column, message }: BatchFault): string {
  const named = column !== null && !message.startsWith(column) ? column : null;
  const place = [line === null ? null : `Line ${line}`, named].filter(Boolean).join(", ");
  return asSentence(place ? `${place}: ${message}` : message);
}
