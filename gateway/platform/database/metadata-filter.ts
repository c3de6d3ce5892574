import { type PgColumn, type SQL, sql } from "./drizzle.ts";

/** The rows whose metadata have the pair `key=value`. */
export function hasPair(column: PgColumn, pair: string): SQL {
  const at = pair.indexOf("=");
  const wanted = JSON.stringify(Object.fromEntries([[pair.slice(0, at), pair.slice(at + 1)]]));
  return sql`${column} @> ${wanted}::jsonb`;
}
