import {
  fold,
  idPartLength,
  isWhole,
  plainLetters,
  searchLimits,
  searchWords,
  unquoted,
} from "#contract/search-words.ts";
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

interface SearchedTexts {
  /** The searched columns, besides the id. */
  texts: readonly (PgColumn | SQL)[];
  /** True for long texts, such as prompts. Removing the accents of ten thousand would take too long. */
  keepsAccents?: true;
}

interface Searched extends SearchedTexts {
  idColumn: PgColumn;
  /**
   * Only the newest rows that match these conditions are searched; an index with the id must contain their
   * columns.
   */
  among: SQL | undefined;
}

/**
 * Matches the rows of a search: every word must occur in one of their texts or, if it is long enough, in
 * their id. Undefined without a search, which matches every row. For use with a keyset, whose order makes an
 * index return the rows in turn.
 */
export function foundBy(
  search: string | undefined,
  { idColumn, among, ...searched }: Searched,
): SQL | undefined {
  const words = searchWords(search ?? "");
  if (words.length === 0) return undefined;
  const oldest = sql`(select ${idColumn} from ${idColumn.table} where ${among ?? sql`true`}
    order by ${idColumn} desc offset ${searchLimits.rows - 1}::int limit 1)`;
  return and(
    sql`${idColumn} >= coalesce(${oldest}, '')`,
    ...words.map((word) =>
      or(
        occursIn(searched, word),
        word.length < idPartLength ? undefined : sql`strpos(${idColumn}, ${unquoted(word)}::text) > 0`,
      ),
    ),
  );
}

/** Whether a word of `searchWords` occurs in one of the texts. */
export function occursIn({ texts, keepsAccents }: SearchedTexts, word: string): SQL {
  const whole = sql`left(concat_ws(' ', ${sql.join([...texts], sql`, `)}), ${searchedLength}::int)`;
  const text = keepsAccents ? sql`lower(${whole})` : folded(whole);
  const wanted = keepsAccents ? unquoted(word) : fold(unquoted(word));
  return isWhole(word)
    ? sql`${text} ~ ${wholeWordPattern(wanted)}::text`
    : sql`strpos(${text}, lower(${wanted}::text)) > 0`;
}

/** The text as `fold` of the contract writes it. Most texts are plain ASCII, and need only lower case. */
function folded(text: SQL): SQL {
  const bare = sql`lower(regexp_replace(normalize(${text}, NFD), '[\u0300-\u036f]', '', 'g'))`;
  const plain = Object.entries(plainLetters).reduce(
    (inner, [letter, instead]) =>
      sql`replace(replace(${inner}, ${sql.raw(`'${letter}', '${instead}'`)}), ${sql.raw(`'${letter.toUpperCase()}', '${instead}'`)})`,
    bare,
  );
  return sql`case when octet_length(${text}) = char_length(${text}) then lower(${text}) else ${plain} end`;
}

/** A regular expression for a word without a letter or a digit before or after it. */
function wholeWordPattern(word: string): string {
  const literal = word.replace(/[^\p{L}\p{N}\s]/gu, "\\$&");
  return `(^|[^[:alnum:]])${literal}($|[^[:alnum:]])`;
}
