import { type PgColumn, type SQL, sql } from "#gateway/platform/database/drizzle.ts";

const promptFields = ["prompt", "input", "text"];

/** The prompt text of a run; null when its input has none. */
export function promptOf(input: Record<string, unknown> | null): string | null {
  for (const name of promptFields) {
    const value = input?.[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return null;
}

/**
 * The prompt text in SQL, from a column with an input. Unlike `promptOf`, it returns a value that is not a
 * string as its text.
 */
export function promptIn(input: PgColumn): SQL<string | null> {
  const values = promptFields.map((name) => sql`${input} ->> ${sql.raw(`'${name}'`)}`);
  return sql<string | null>`coalesce(${sql.join(values, sql`, `)})`;
}
