export type ColumnType = "text" | "integer" | "boolean" | "double precision" | "timestamptz" | "jsonb";
/** The columns of rows that are sent as JSON, in the order in which their values are sent. */
export type Columns<Row> = Record<keyof Row & string, ColumnType>;

/** Rows as arrays of values: smaller to write and to parse than objects with their keys. */
export function rowsAsJson<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  const names = Object.keys(columns) as (keyof Row & string)[];
  return JSON.stringify(rows.map((row) => names.map((name) => row[name])));
}

/** The SQL that reads the columns from such an array, named `row`. */
export function valuesIn(row: string, columns: Record<string, ColumnType>): string {
  return Object.entries(columns)
    .map(([name, type], place) =>
      type === "jsonb"
        ? `nullif(${row}->${place}, 'null') as ${name}`
        : `(${row}->>${place})::${type} as ${name}`,
    )
    .join(", ");
}
