import type { BatchFault } from "#contract/batches.ts";
import { asSentence } from "../format.ts";

/** Faults by the place of their row in the table. */
export function faultsByRow(faults: readonly BatchFault[]): Map<number, BatchFault[]> {
  const byRow = new Map<number, BatchFault[]>();
  for (const fault of faults) {
    if (fault.row === null) continue;
    const row = fault.row - 1;
    byRow.set(row, [...(byRow.get(row) ?? []), fault]);
  }
  return byRow;
}

/** `Line 5, duration: must be at most 10.` */
export function faultWords({ line, column, message }: BatchFault): string {
  const named = column !== null && !message.startsWith(column) ? column : null;
  const place = [line === null ? null : `Line ${line}`, named].filter(Boolean).join(", ");
  return asSentence(place ? `${place}: ${message}` : message);
}
