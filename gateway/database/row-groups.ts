import { type SQL, sql } from "./drizzle.ts";
import type { ColumnType } from "./row-arrays.ts";

type Value = string | number | boolean | Date | null;
type Types<Name extends string> = Readonly<Record<Name, ColumnType | "numeric">>;

/** Rows of which most values repeat, as they are sent and read. */
export interface RowGroups<Name extends string> {
  /** The names of all columns, for `insert into`. */
  columns: SQL;
  /** The `select` that reads rows out of one parameter. */
  select(rows: Iterable<Record<Name, Value>>): SQL;
}

/**
 * Sends rows that are equal in their `shared` columns as one group, with an array for each of their `own` columns: a
 * batch has thousands of rows and few groups, and sending whole rows takes as long as inserting them.
 */
export function rowGroups<Shared extends string, Own extends string>(
  shared: Types<Shared>,
  own: Types<Own>,
): RowGroups<Shared | Own> {
  const sharedNames = Object.keys(shared) as Shared[];
  const ownNames = Object.keys(own) as Own[];
  const fields = [
    ...sharedNames.map((name) => `${name} ${shared[name] === "jsonb" ? "text" : shared[name]}`),
    ...ownNames.map((name) => `${name} ${own[name]}[]`),
  ];
  // JSON comes as text, by which rows are grouped.
  const read = (name: Shared) => (shared[name] === "jsonb" ? `shared.${name}::jsonb` : `shared.${name}`);
  const values = [...sharedNames.map(read), ...ownNames.map((name) => `own.${name}`)];
  const from = `as shared (${fields.join(", ")})
    cross join unnest(${ownNames.map((name) => `shared.${name}`).join(", ")}) as own (${ownNames.join(", ")})`;

  const groupsOf = (rows: Iterable<Record<Shared | Own, Value>>): object[] => {
    const groups = new Map<string, Record<string, Value | Value[]>>();
    for (const row of rows) {
      let id = "";
      for (const name of sharedNames) id += `${row[name] ?? "\0"}\n`; // no text in the database has a zero
      let group = groups.get(id);
      if (!group) {
        group = {};
        for (const name of sharedNames) group[name] = row[name];
        for (const name of ownNames) group[name] = [];
        groups.set(id, group);
      }
      for (const name of ownNames) (group[name] as Value[]).push(row[name]);
    }
    return [...groups.values()];
  };
  return {
    columns: sql.raw([...sharedNames, ...ownNames].join(", ")),
    select: (rows) =>
      sql`select ${sql.raw(values.join(", "))} from json_to_recordset(${JSON.stringify(groupsOf(rows))}::json) ${sql.raw(from)}`,
  };
}
