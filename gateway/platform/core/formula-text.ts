import { quoteCell } from "#contract/csv.ts";

/** Spreadsheets take these for the beginning of a formula, full-width forms included. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** How `writeCell` marks them. */
const markedText = /^'(?=[=+\-@\t\r\n＝＋－＠])/;

/** A cell as text that no spreadsheet runs: what looks like a formula gets an apostrophe, which `cellText` takes off. */
export function writeCell(value: string): string {
  const safe = formula.test(value) && !number.test(value) ? `'${value}` : value;
  return quoteCell(safe);
}

/** The text of a cell: one that begins with `=` is text too, never a formula. */
export function cellText(cell: string): string {
  return cell.replace(markedText, "");
}
