import { type PgColumn, type SQL, sql } from "#gateway/platform/database/drizzle.ts";

const promptFields = ["prompt", "input", "text"];

/** What a run was asked in words; null when its input has none. */
export function promptOf(input: Record<string, unknown> | null): string | null {
  for (const name of promptFields) {
    const value = input?.[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return null;
}

/** The same in a statement, of a column with an input; the text of a value that is none stands for it. */
export function promptIn(input: PgColumn): SQL<string | null> {
  const values = promptFields.map((name) => sql`${input} ->> ${sql.raw(`'${name}'`)}`);
  return sql<string | null>`coalesce(${sql.join(values, sql`, `)})`;
}
