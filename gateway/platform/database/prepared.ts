import type { Queries } from "./database.ts";
import { PgDialect, type SQL } from "./drizzle.ts";

const dialect = new PgDialect();
/** Their names, by their text: a connection knows a statement by its name. */
const names = new Map<string, string>();

/**
 * Runs a statement that each connection plans only a few times: for statements that run very often, have few texts (whatever differs is a
 * parameter), and insert, or find rows by unique keys, so that no plan of an empty table harms a full one.
 */
export function executePrepared(queries: Queries, statement: SQL) {
  const query = dialect.sqlToQuery(statement);
  const name = names.get(query.sql) ?? `statement ${names.size + 1}`;
  names.set(query.sql, name);
  return queries._.session.prepareQuery(query, undefined, name, false).execute() as ReturnType<
    Queries["execute"]
  >;
}
