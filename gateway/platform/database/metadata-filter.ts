import { idPartLength, searchLimits, searchWords } from "#contract/search-words.ts";
import { and, or, type PgColumn, type SQL, sql } from "./drizzle.ts";

/** Matches rows whose metadata has the pair `key=value`. */
export function hasPair(column: PgColumn, pair: string): SQL {
  const { key, value } = pairOf(pair);
  const wanted = JSON.stringify(Object.fromEntries([[key, value]]));
  return sql`${column} @> ${wanted}::jsonb`;
}

export function pairOf(pair: string): { key: string; value: string } {
  const at = pair.indexOf("=");
  return { key: pair.slice(0, at), value: pair.slice(at + 1) };
}

/** Longer texts, such as prompts, are searched up to this length. */
const searchedLength = 4_000;

interface Searched {
  idColumn: PgColumn;
  /**
   * Only the newest rows that match these conditions are searched; an index with the id must contain their
   * columns.
   */
  among: SQL | undefined;
  /** The searched columns, besides the id. */
  texts: readonly (PgColumn | SQL)[];
}

/**
 * Matches the rows of a search: every word must occur in one of their texts or, if it is long enough, in
 * their id. Undefined without a search, which matches every row. For use with a keyset, whose order makes an
 * index return the rows in turn.
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
