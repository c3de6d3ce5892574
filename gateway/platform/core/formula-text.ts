import { quoteCell } from "#contract/csv.ts";

/** Spreadsheets read text with these beginnings as a formula, including full-width forms. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Matches the apostrophe that `writeCell` adds. */
const markedText = /^'(?=[=+\-@\t\r\n＝＋－＠])/;

/**
 * A cell as text that no spreadsheet runs: text that looks like a formula gets an apostrophe, which
 * `cellText` removes.
 */
export function writeCell(value: string): string {
  const safe = formula.test(value) && !number.test(value) ? `'${value}` : value;
  return quoteCell(safe);
}

/** The cells as a line of a CSV file. */
export function writeLine(cells: readonly string[]): string {
  return `${cells.map(writeCell).join(",")}\r\n`;
}

/**
 * The original text of a cell that `writeCell` wrote. A cell that begins with `=` is returned unchanged:
 * nothing runs it here.
 */
export function cellText(cell: string): string {
  return cell.replace(markedText, "");
}
