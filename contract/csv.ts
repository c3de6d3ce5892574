export interface CsvRecord {
  /**
   * The line of the text on which the record starts, counted from 1. A record can span lines because a quoted
   * cell may contain line breaks.
   */
  line: number;
  cells: string[];
  /** True when a quote is broken: this record and everything after it may be wrong. */
  fault?: { line: number; message: string };
}

/** Most doubled quotes in the whole text. No table with JSON in its cells has more. */
const maxDoubledQuotes = 500_000;
/** Most line breaks inside quoted cells, in the whole text. */
const maxQuotedBreaks = 1_000_000;
/** Most cells per record. Spreadsheets have up to 16,384 columns. */
const maxCells = 20_000;
/** Length of the beginning of the text in which the separator is detected. No header is longer. */
const headerCharacters = 200_000;

/**
 * Reads CSV as spreadsheets write it (RFC 4180): with or without a byte order mark, quoted cells with doubled
 * quotes and line breaks, any line ends. Empty records are skipped.
 */
export function* readCsv(text: string, separator = separatorOf(text)): Generator<CsvRecord> {
  for (const record of csvRecords(text, separator)) if (saysSomething(record)) yield record;
}

/** Whether a record has a non-empty cell or a fault. */
export function saysSomething({ cells, fault }: CsvRecord): boolean {
  return fault !== undefined || cells.some((cell) => cell !== "");
}

/**
 * Yields all records, including empty lines. The time for each is bounded, so a caller can pause after any
 * record.
 */
export function* csvRecords(text: string, separator = separatorOf(text)): Generator<CsvRecord> {
  const plainEnd = new RegExp(`[${separator}\r\n]`, "g");
  const left = { doubledQuotes: maxDoubledQuotes, quotedBreaks: maxQuotedBreaks };
  let line = 1;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    for (;;) {
      const cell = text[at] === '"' ? readQuoted(text, at, plainEnd, left) : readPlain(text, at, plainEnd);
      record.cells.push(cell.value);
      if (cell.problem) record.fault ??= { line, message: cell.problem };
      line += cell.lineBreaks;
      at = cell.end;
      if (record.cells.length > maxCells) {
        record.fault ??= { line, message: `There are more than ${maxCells} cells in one row.` };
        at = text.length;
      }
      if (text[at] !== separator) break;
      at += 1;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    line += 1;
    yield record;
  }
}

interface Cell {
  value: string;
  end: number;
  lineBreaks: number;
  problem?: string;
}

function readPlain(text: string, start: number, plainEnd: RegExp): Cell {
  plainEnd.lastIndex = start;
  const end = plainEnd.exec(text)?.index ?? text.length;
  return { value: text.slice(start, end), end, lineBreaks: 0 };
}

/** How much of the limits the rest of the text may still use. */
interface Left {
  doubledQuotes: number;
  quotedBreaks: number;
}

function readQuoted(text: string, start: number, plainEnd: RegExp, left: Left): Cell {
  const tooMany = (what: string) => ({
    value: "",
    end: text.length,
    lineBreaks: 0,
    problem: `There are too many ${what}.`,
  });
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') {
    left.doubledQuotes -= 1;
    if (left.doubledQuotes < 0) return tooMany("doubled quotes");
    end = text.indexOf('"', end + 2);
  }
  const quoted = text.slice(start + 1, end < 0 ? text.length : end);
  const value = quoted.replaceAll('""', '"');
  const lineBreaks = countLineBreaks(quoted, left.quotedBreaks);
  left.quotedBreaks -= lineBreaks;
  if (left.quotedBreaks < 0) return tooMany("line breaks in quoted cells");
  if (end < 0)
    return {
      value,
      end: text.length,
      lineBreaks,
      problem: "A quoted cell starts on this line and has no closing quote. Add the quote.",
    };
  const after = readPlain(text, end + 1, plainEnd);
  if (after.value === "") return { value, end: end + 1, lineBreaks };
  const problem = "There is text after a closing quote. Double the quotes inside a quoted cell.";
  return { value: value + after.value, end: after.end, lineBreaks, problem };
}

/** The number of line breaks, or `most + 1` if there are more. */
function countLineBreaks(text: string, most: number): number {
  const lineBreak = /\r\n|\r|\n/g;
  let count = 0;
  while (count <= most && lineBreak.test(text)) count += 1;
  return count;
}

/** The most frequent separator (comma, semicolon or tab) of the first line, outside quotes. */
function separatorOf(text: string): string {
  const [header = ""] = text
    .slice(0, headerCharacters)
    .replace(/"[^"]*"/g, "")
    .split(/[\r\n]/, 1);
  const counted = [",", ";", "\t"].map((mark) => ({ mark, count: header.split(mark).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).mark;
}

/** Quotes a cell if it contains a separator, quote or line break. */
export function quoteCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Most rows of a list in one file: as many as a spreadsheet opens. */
export const maxCsvRows = 1_000_000;
