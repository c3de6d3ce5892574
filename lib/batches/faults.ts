import type { BatchFault } from "#contract/batches.ts";
import { asSentence } from "../format.ts";

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
