import { type BatchFault, batchLimits } from "#contract/batches.ts";
import { csvRecords, saysSomething } from "#contract/csv.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { cellText } from "#gateway/platform/core/formula-text.ts";
import { nothingCounted, refuseManyValues } from "#gateway/platform/http/body-bounds.ts";

/** A row as it was sent, before it is checked. */
export interface SourceRow {
  /** Counted from 1. */
  row: number;
  /** Null for rows that came as JSON. */
  line: number | null;
  input: Record<string, unknown>;
}

/** The parsed source. CSV values stay strings until the schema converts them. */
export interface Source {
  rows: SourceRow[];
  faults: BatchFault[];
  isText: boolean;
  /** Columns in a table's header; a name may occur twice. */
  columns?: number;
  /** The text has more lines than a batch may have, and the rest was not read. */
  hasManyLines?: boolean;
}

export function fromRows(rows: readonly Record<string, unknown>[]): Source {
  return {
    rows: rows.map((input, index) => ({ row: index + 1, line: null, input })),
    faults: [],
    isText: false,
  };
}

/** One JSON object per line; empty lines are skipped. */
export async function fromJsonLines(text: string, left: AbortSignal): Promise<Source> {
  const pause = yieldToEventLoop(left);
  const rows: SourceRow[] = [];
  const faults: BatchFault[] = [];
  let counted = nothingCounted;
  for (const { line, content } of linesOf(withoutMark(text))) {
    await pause();
    if (line > batchLimits.maxLines) return { rows, faults, isText: false, hasManyLines: true };
    if (content.trim() === "") continue;
    if (rows.length + faults.length > batchLimits.maxRows) break;
    const row = rows.length + faults.length + 1;
    // Each line is parsed separately, so new names are not added up.
    counted = { ...refuseManyValues(content, counted), newNames: 0 };
    const input = parsedObject(content);
    if (input) rows.push({ row, line, input });
    else faults.push({ row, line, column: null, code: "invalid_json", message: "is not a JSON object" });
  }
  return { rows, faults, isText: false };
}

/** Yields one line at a time: a long text can have millions. */
function* linesOf(text: string): Generator<{ line: number; content: string }> {
  const lineEnd = /[\r\n]/g;
  let at = 0;
  for (let line = 1; at < text.length; line += 1) {
    lineEnd.lastIndex = at;
    const end = lineEnd.exec(text)?.index ?? text.length;
    yield { line, content: text.slice(at, end) };
    at = end + (text.startsWith("\r\n", end) ? 2 : 1);
  }
}

/** The JSON object in a text; null for any other text. */
export function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** A header with field names, then one record per row. An empty cell omits its field. */
export async function fromCsv(text: string, left: AbortSignal): Promise<Source> {
  const pause = yieldToEventLoop(left);
  const faults: BatchFault[] = [];
  const rows: SourceRow[] = [];
  let header: string[] | null = null;
  let records = 0;
  for (const record of csvRecords(text)) {
    await pause();
    records += 1;
    if (records > batchLimits.maxLines) return { rows, faults, isText: true, hasManyLines: true };
    if (!saysSomething(record)) continue;
    const { line, cells, fault } = record;
    if (header === null && cells.length > batchLimits.maxColumns)
      return { rows, faults, isText: true, columns: cells.length };
    if (fault) {
      faults.push({ row: null, ...fault, column: null, code: "invalid_parameter" });
      break;
    }
    // A source with too many rows is refused as a whole, so reading can stop.
    if (rows.length > batchLimits.maxRows) break;
    if (header === null) {
      header = cells.map((cell) => cellText(cell).trim());
      faults.push(...headerFaults(header, line));
      continue;
    }
    const row = rows.length + 1;
    const input: Record<string, unknown> = {};
    for (const [index, name] of header.entries()) {
      const cell = cells[index] ?? "";
      if (cell !== "" && name !== "") Object.defineProperty(input, name, { ...field, value: cellText(cell) });
    }
    rows.push({ row, line, input });
    const unnamed = cells.findIndex((cell, index) => cell !== "" && !header?.[index]);
    if (unnamed < 0) continue;
    const message = `has text in column ${unnamed + 1}, which the header does not name`;
    faults.push({ row, line, column: null, code: "invalid_parameter", message });
  }
  return { rows, faults, isText: true, ...(header && { columns: header.length }) };
}

/** Uses defineProperty, because a column may be named `__proto__`; the check then refuses it. */
const field = { enumerable: true, configurable: true, writable: true };

function headerFaults(header: readonly string[], line: number): BatchFault[] {
  const [once, twice] = [new Set<string>(), new Set<string>()];
  for (const name of header) {
    if (name !== "" && once.has(name)) twice.add(name);
    once.add(name);
  }
  return [...twice].map((column) => ({
    row: null,
    line,
    column,
    code: "invalid_parameter",
    message: `is in the header more than once`,
  }));
}

/** Removes the byte order mark that Excel writes. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
