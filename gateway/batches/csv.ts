export interface CsvRecord {
  /** Where it begins, counted from 1: a quoted cell may hold line breaks. */
  line: number;
  cells: string[];
}

/** The text is no CSV from this line on. */
export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Reads CSV as spreadsheets write it (RFC 4180): commas, semicolons or tabs, whichever the header has most of, quoted cells
 * with doubled quotes and line breaks, any line ends. Records without any text are left out. Throws `CsvError`.
 */
export function* readCsv(text: string): Generator<CsvRecord> {
  const separator = separatorOf(text);
  const plainEnd = new RegExp(`[${separator}\r\n]`, "g");
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    for (;;) {
      const cell = text[at] === '"' ? readQuoted(text, at, line) : readPlain(text, at, plainEnd);
      record.cells.push(cell.value);
      line += cell.lineBreaks;
      at = cell.end;
      if (text[at] !== separator) break;
      at += 1;
    }
    if (at < text.length && text[at] !== "\r" && text[at] !== "\n")
      throw new CsvError(
        line,
        "There is text after a closing quote. Double the quotes inside a quoted cell.",
      );
    at += text.startsWith("\r\n", at) ? 2 : 1;
    line += 1;
    if (record.cells.some((cell) => cell !== "")) yield record;
  }
}

interface Cell {
  value: string;
  end: number;
  lineBreaks: number;
}

function readPlain(text: string, start: number, plainEnd: RegExp): Cell {
  plainEnd.lastIndex = start;
  const end = plainEnd.exec(text)?.index ?? text.length;
  return { value: text.slice(start, end), end, lineBreaks: 0 };
}

function readQuoted(text: string, start: number, line: number): Cell {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) throw new CsvError(line, "A quoted cell begins here and never ends.");
  const quoted = text.slice(start + 1, end);
  const lineBreaks = quoted.match(/\r\n|\r|\n/g)?.length ?? 0;
  return { value: quoted.replaceAll('""', '"'), end: end + 1, lineBreaks };
}

/** The separator that the first line has most of, outside quotes. */
function separatorOf(text: string): string {
  const [header = ""] = text.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  const counted = [",", ";", "\t"].map((mark) => ({ mark, count: header.split(mark).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).mark;
}

/** Spreadsheets take these for the beginning of a formula. */
const formula = /^[=+\-@\t\r]/;
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** How `writeCell` marks them. */
const markedText = /^'(?=[=+\-@\t\r])/;

/** A cell as text that no spreadsheet runs: what looks like a formula gets an apostrophe, which `cellText` takes off. */
export function writeCell(value: string): string {
  const safe = formula.test(value) && !number.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell: one that begins with `=` is text too, never a formula. */
export function cellText(cell: string): string {
  return cell.replace(markedText, "");
}
