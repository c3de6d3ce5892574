import { idPartLength, searchLimits, searchWords } from "#contract/search-words.ts";
import { and, or, type PgColumn, type SQL, sql } from "./drizzle.ts";

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

/** A longer text, such as a prompt, is searched to here. */
const searchedLength = 4_000;

interface Searched {
  idColumn: PgColumn;
  /** The newest rows of what these conditions leave are searched; an index of the id must hold their columns. */
  among: SQL | undefined;
  /** What is searched, besides the id. */
  texts: readonly (PgColumn | SQL)[];
}

/**
 * The rows that a search finds: every word is a part of one of their texts or, if it is long enough, of their id. Undefined
 * where nothing is sought, which leaves every row. A condition of a keyset, whose order makes an index yield the rows in turn.
 */
export function foundBy(search: string | undefined, { idColumn, among, texts }: Searched): SQL | undefined {
  const words = searchWords(search ?? "");
  if (words.length === 0) return undefined;
  const text = sql`lower(left(concat_ws(' ', ${sql.join([...texts], sql`, `)}), ${searchedLength}::int))`;
  const oldest = sql`(select ${idColumn} from ${idColumn.table} where ${among ?? sql`true`}
    order by ${idColumn} desc offset ${searchLimits.rows - 1}::int limit 1)`;
  return and(
    sql`${idColumn} >= coalesce(${oldest}, '')`,
    ...words.map((word) =>
      or(
        sql`strpos(${text}, lower(${word}::text)) > 0`,
        word.length < idPartLength ? undefined : sql`strpos(${idColumn}, ${word}::text) > 0`,
      ),
    ),
  );
}
