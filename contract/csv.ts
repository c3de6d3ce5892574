export interface CsvRecord {
  /** Where it begins, counted from 1: a quoted cell may hold line breaks. */
  line: number;
  cells: string[];
  /** Its quotes are wrong: what it has, and all that follows, is a guess. */
  fault?: { line: number; message: string };
}

/** Doubled quotes in all of a text; more than any table of JSON texts has. */
const maxDoubledQuotes = 500_000;
/** The separator is looked for in so much of the text: the longest header is shorter. */
const headerCharacters = 200_000;

/**
 * Reads CSV as spreadsheets write it (RFC 4180): with or without a byte order mark, quoted cells with doubled quotes and line
 * breaks, any line ends. Records without any text are left out.
 */
export function* readCsv(text: string, separator = separatorOf(text)): Generator<CsvRecord> {
  const plainEnd = new RegExp(`[${separator}\r\n]`, "g");
  const quotes = { left: maxDoubledQuotes };
  let line = 1;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    for (;;) {
      const cell = text[at] === '"' ? readQuoted(text, at, plainEnd, quotes) : readPlain(text, at, plainEnd);
      record.cells.push(cell.value);
      if (cell.problem) record.fault ??= { line, message: cell.problem };
      line += cell.lineBreaks;
      at = cell.end;
      if (text[at] !== separator) break;
      at += 1;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    line += 1;
    if (record.cells.some((cell) => cell !== "")) yield record;
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

function readQuoted(text: string, start: number, plainEnd: RegExp, quotes: { left: number }): Cell {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') {
    quotes.left -= 1;
    if (quotes.left < 0)
      return { value: "", end: text.length, lineBreaks: 0, problem: "There are too many doubled quotes." };
    end = text.indexOf('"', end + 2);
  }
  const quoted = text.slice(start + 1, end < 0 ? text.length : end);
  const value = quoted.replaceAll('""', '"');
  const lineBreaks = quoted.match(/\r\n|\r|\n/g)?.length ?? 0;
  if (end < 0)
    return { value, end: text.length, lineBreaks, problem: "A quoted cell begins here and never ends." };
  const after = readPlain(text, end + 1, plainEnd);
  if (after.value === "") return { value, end: end + 1, lineBreaks };
  const problem = "There is text after a closing quote. Double the quotes inside a quoted cell.";
  return { value: value + after.value, end: after.end, lineBreaks, problem };
}

/** Commas, semicolons or tabs: whichever the first line has most of, outside quotes. */
function separatorOf(text: string): string {
  const [header = ""] = text
    .slice(0, headerCharacters)
    .replace(/"[^"]*"/g, "")
    .split(/[\r\n]/, 1);
  const counted = [",", ";", "\t"].map((mark) => ({ mark, count: header.split(mark).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).mark;
}

/** A cell as it is written, in quotes where it needs them. */
export function quoteCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
