import pg from "pg";
import type { ConnectionConfig } from "./connection.ts";
import type { Queries } from "./database.ts";
import { PgDialect, type SQL } from "./drizzle.ts";

const dialect = new PgDialect();
/** Statement names by text: a connection identifies a prepared statement by name. */
const names = new Map<string, string>();

/**
 * Runs a statement that each connection plans only once or a few times. Use it for statements that run very
 * often, with few different texts (pass every value as a parameter), and that only insert rows or find them
 * by unique keys, because the plan may have been made for an empty table.
 */
export function executePrepared(queries: Queries, statement: SQL) {
  const query = dialect.sqlToQuery(statement);
  const name = names.get(query.sql) ?? `statement ${names.size + 1}`;
  names.set(query.sql, name);
  return queries._.session.prepareQuery(query, undefined, name, false).execute() as ReturnType<
    Queries["execute"]
  >;
}

/**
 * At most this many queries wait for a connection: during an outage more of them would only fill the memory.
 */
const usualMaxWaiting = 5_000;
/** PostgreSQL's own code for too many connections. */
const tooMany = "53300";

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** A pool that rejects a query at once if too many others are waiting. */
export class BoundedPool extends pg.Pool {
  private readonly maxWaiting: number;

  constructor({
    maxWaiting = usualMaxWaiting,
    ...config
  }: pg.PoolConfig & Pick<ConnectionConfig, "diskIsFull"> & { maxWaiting?: number }) {
    super(config);
    this.maxWaiting = maxWaiting;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (this.waitingCount < this.maxWaiting) {
      if (!callback) return super.connect();
      super.connect(callback);
      return;
    }
    const error = Object.assign(new Error("Too many queries wait for a database connection"), {
      code: tooMany,
    });
    if (!callback) return Promise.reject(error);
    callback(error, undefined, () => {});
    return;
  }
}

export type ColumnType = "text" | "integer" | "boolean" | "double precision" | "timestamptz" | "jsonb";
/** The columns of rows sent as JSON, in the order of their values. */
export type Columns<Row> = Record<keyof Row & string, ColumnType>;

/** Rows as arrays of values: smaller to write and parse than objects with keys. */
export function rowsAsJson<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  const names = Object.keys(columns) as (keyof Row & string)[];
  return JSON.stringify(rows.map((row) => names.map((name) => row[name])));
}

/**
 * SQL that reads the columns of a row that `rowsAsJson` wrote as an array; `row` is the name of the array.
 */
export function valuesIn(row: string, columns: Record<string, ColumnType>): string {
  return Object.entries(columns)
    .map(([name, type], place) =>
      type === "jsonb"
        ? `nullif(${row}->${place}, 'null') as ${name}`
        : `(${row}->>${place})::${type} as ${name}`,
    )
    .join(", ");
}
