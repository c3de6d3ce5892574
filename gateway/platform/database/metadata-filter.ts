import { type PgColumn, type SQL, sql } from "./drizzle.ts";

/** The rows whose metadata have the pair `key=value`. */
export function hasPair(column: PgColumn, pair: string): SQL {
  const { key, value } = pairOf(pair);
  const wanted = JSON.stringify(Object.fromEntries([[key, value]]));
  return sql`${column} @> ${wanted}::jsonb`;
}

export function pairOf(pair: string): { key: string; value: string } {
  const at = pair.indexOf("=");
  return { key: pair.slice(0, at), value: pair.slice(at + 1) };
}
