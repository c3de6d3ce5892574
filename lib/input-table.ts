import { quoteCell, readCsv } from "#contract/csv.ts";

/** A table that somebody types or pastes. Every cell is text. */
export interface InputTable {
  columns: string[];
  rows: string[][];
}

/** A CSV file. Its first record is the header. */
export function tableFromCsv(text: string): InputTable {
  const [columns = [], ...rows] = Array.from(readCsv(text), ({ cells }) => cells);
  return { columns: columns.map((name) => name.trim()), rows };
}

/**
 * One JSON object per line. Values other than texts are shown as JSON. An invalid line stays unchanged in the
 * first column.
 */
export function tableFromJsonLines(text: string): InputTable {
  const lines = text.replace("\uFEFF", "").split(/\r\n|\r|\n/);
  const objects = lines.filter((line) => line.trim() !== "").map((line) => objectIn(line) ?? line);
  const columns = [
    ...new Set(objects.flatMap((object) => (typeof object === "string" ? [] : Object.keys(object)))),
  ];
  const rows = objects.map((object) =>
    typeof object === "string" ? [object] : columns.map((name) => textOf(object[name])),
  );
  return { columns, rows };
}

function objectIn(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The table as CSV. Only empty rows at the end are left out, so that row numbers stay the same. */
export function toCsv({ columns, rows }: InputTable): string {
  const lines = [columns, ...rows.slice(0, filledRows({ columns, rows }))];
  return lines.map((cells) => cells.map(quoteCell).join(",")).join("\r\n");
}

/** The number of rows up to the last row with any text. */
export function filledRows({ rows }: InputTable): number {
  return rows.findLastIndex((cells) => cells.some((cell) => cell.trim() !== "")) + 1;
}

export function withCell(table: InputTable, row: number, column: number, text: string): InputTable {
  const rows = [...table.rows];
  while (rows.length <= row) rows.push([]);
  const cells = [...(rows[row] ?? [])];
  while (cells.length <= column) cells.push("");
  cells[column] = text;
  rows[row] = cells;
  return { ...table, rows };
}

/**
 * Pastes a copied range at a cell of the table. If the range's first record names a known column, the range
 * is a table with a header, and replaces the whole table.
 */
export function withPasted(
  table: InputTable,
  at: { row: number; column: number },
  text: string,
  known: readonly string[],
): InputTable {
  // Spreadsheets copy with tabs between cells. Text from a file may have another separator.
  const range = Array.from(readCsv(text, text.includes("\t") ? "\t" : undefined), ({ cells }) => cells);
  const [first = []] = range;
  const header = first.map((cell) => {
    const name = cell.trim();
    return known.find((other) => other.toLowerCase() === name.toLowerCase()) ?? name;
  });
  if (range.length > 1 && header.some((name) => known.includes(name)))
    return { columns: header, rows: range.slice(1) };
  let pasted = table;
  for (const [rowOffset, cells] of range.entries())
    for (const [columnOffset, cell] of cells.entries()) {
      const column = at.column + columnOffset;
      if (column < table.columns.length) pasted = withCell(pasted, at.row + rowOffset, column, cell);
    }
  return pasted;
}

/** Whether pasted text covers more than one cell. */
export function isRange(text: string): boolean {
  return /[\t]|[\r\n]\s*\S/.test(text.trim());
}

export function withColumn(table: InputTable, name: string): InputTable {
  return { ...table, columns: [...table.columns, name] };
}

export function withColumnNamed(table: InputTable, column: number, name: string): InputTable {
  return { ...table, columns: table.columns.with(column, name) };
}

export function withoutColumn(table: InputTable, column: number): InputTable {
  const without = (cells: string[]) => cells.filter((_, index) => index !== column);
  return { columns: without(table.columns), rows: table.rows.map(without) };
}

export function withoutRow(table: InputTable, row: number): InputTable {
  return { ...table, rows: table.rows.filter((_, index) => index !== row) };
}
