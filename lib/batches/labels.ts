import type { BatchKind } from "#contract/batch-constants.ts";
import type { Batch, BatchCounts, BatchEstimate, BatchFault, BatchMostCost } from "#contract/batches.ts";
import type { Words } from "../../messages/words.ts";
import { asSentence } from "../format.ts";
import { formatMoney } from "../money.ts";
import { usageLabel } from "../usage-label.ts";
import { listText } from "../words/list-text.ts";

type T = Words<"batches">;

export function batchTitle(t: T, { name, counts, model }: Pick<Batch, "name" | "counts" | "model">): string {
  return name ?? t("rowsOfModel", { rows: counts.total, model });
}

/** Rows that ran to the end. Canceled rows do not count. */
export function ranRows({ succeeded, failed }: BatchCounts): number {
  return succeeded + failed;
}

/** `12 of 40 rows ran, 2 failed, 20 canceled`; a comparison has models instead of rows. */
export function progressLabel(t: T, counts: BatchCounts, kind: BatchKind = "table"): string {
  const { total, failed, canceled } = counts;
  return t("progressOf", { kind, ran: ranRows(counts), total, failed, canceled });
}

/** The cost of the rows so far and in total: `0.12 USD so far, about 0.48 USD in all`. */
export function costLabel(t: T, { cost, counts }: Pick<Batch, "cost" | "counts">): string {
  const { amount, currency, estimated, not_priced_rows: notPriced } = cost;
  const isOver = counts.queued + counts.running === 0;
  if (estimated === null) return notPriced > 0 ? t("notPriced") : t("nothingPaidYet");
  // As of a single run: "Sandbox: costs nothing".
  if (amount === "0" && estimated === "0" && notPriced === 0) return t("costsNothing");
  return t("costOf", {
    ends: isOver ? "yes" : "no",
    amount: formatMoney(amount, currency),
    estimated: formatMoney(estimated, currency),
    notPriced,
  });
}

/** The maximum cost of the rows: `at most 1.20 USD`. */
export function maxCostLabel(t: T, { amount, currency, reason }: BatchMostCost): string {
  if (amount !== null)
    return amount === "0" ? t("costsNothing") : t("atMost", { most: formatMoney(amount, currency) });
  return reason === "no_maximum" ? t("noKnownMaximum") : t("notPriced");
}

/** The estimated usage of the rows: `at most 240 seconds`. */
export function estimateLabel(t: T, amounts: Words<"amounts">, { unit, quantity }: BatchEstimate): string {
  return quantity === null
    ? t("billedPer", { unit })
    : t("atMost", { most: usageLabel(amounts, { quantity, unit }) });
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
export function describeFault(t: T, { line, column, message }: BatchFault): string {
  const named = column !== null && !message.startsWith(column) ? column : null;
  const place = listText(
    t.language,
    [line !== null && t("faultLine", { line: String(line) }), named],
    "plain",
  );
  return asSentence(place ? t("faultAt", { place, message }) : message);
}
