import { type SQL, sql } from "./drizzle.ts";
import { isRejectedData } from "./failed-query.ts";
import type { ColumnType } from "./prepared.ts";

type Value = string | number | boolean | Date | null;

type Types<Name extends string> = Readonly<Record<Name, ColumnType | "numeric">>;

/** Sends and reads rows in which most values repeat. */
export interface RowGroups<Name extends string, Aside extends string> {
  /** The names of all columns, for `insert into`. */
  columns: SQL;
  /** A `select` that reads the rows from one parameter. */
  select(rows: Iterable<Record<Name | Aside, Value>>): SQL;
  /** The groups, for a `select … from`: one row per group, with the `own` columns as arrays. */
  groups(rows: Iterable<Record<Name | Aside, Value>>): SQL;
  /** A `select` that reads the rows from an expression that contains groups, as `groups` returns them. */
  rowsOf(groups: SQL): SQL;
}

/**
 * Sends rows that have equal `shared` columns as one group, with an array for each of their `own` columns: a
 * batch has thousands of rows and few groups, and sending whole rows takes as long as inserting them. `aside`
 * columns belong to the group but are not columns of the rows.
 */
export function rowGroups<Shared extends string, Own extends string, Aside extends string = never>(
  shared: Types<Shared>,
  own: Types<Own>,
  aside = {} as Types<Aside>,
): RowGroups<Shared | Own, Aside> {
  const sharedNames = Object.keys(shared) as Shared[];
  const ownNames = Object.keys(own) as Own[];
  const equalNames = [...sharedNames, ...(Object.keys(aside) as Aside[])];
  const types = { ...shared, ...aside, ...own };
  const fields = [
    ...equalNames.map((name) => `${name} ${types[name] === "jsonb" ? "text" : types[name]}`),
    ...ownNames.map((name) => `${name} ${isTime(own[name]) ? "double precision" : own[name]}[]`),
  ];
  const values = [
    // JSON arrives as text, because rows are grouped by it.
    ...sharedNames.map((name) => `shared.${name}${shared[name] === "jsonb" ? "::jsonb" : ""}`),
    ...ownNames.map((name) => (isTime(own[name]) ? `to_timestamp(own.${name} / 1000)` : `own.${name}`)),
  ];
  const each = `cross join unnest(${ownNames.map((name) => `shared.${name}`).join(", ")}) as own (${ownNames.join(", ")})`;
  const shape = sql.raw(`as shared (${fields.join(", ")})`);

  type Row = Record<Shared | Own | Aside, Value>;
  const groupsOf = (rows: Iterable<Row>): object[] => {
    const groups = new Map<string, Group>();
    // Rows of a few groups often alternate, so the most recent groups are checked first.
    const recent: Group[] = [];
    for (const row of rows) {
      let group = recent.find(({ first }) => isEqual(equalNames, row, first));
      if (!group) {
        let id = "";
        // A zero byte separates the values, because no text in the database contains one.
        for (const name of equalNames) id += `${row[name] ?? "\0"}\n`;
        group = groups.get(id);
        if (!group) {
          group = { first: row, lists: ownNames.map(() => "") };
          groups.set(id, group);
        }
        if (recent.unshift(group) > maxRecent) recent.pop();
      }
      const { lists } = group;
      for (let place = 0; place < ownNames.length; place += 1)
        lists[place] += `,${element(row[ownNames[place] as Own])}`;
    }
    return Array.from(groups.values(), ({ first, lists }) => {
      const sent: Record<string, Value> = {};
      for (const name of equalNames) sent[name] = first[name] ?? null;
      for (const [place, name] of ownNames.entries()) sent[name] = arrayOf(lists[place] ?? "");
      return sent;
    });
  };
  const groups = (rows: Iterable<Row>) =>
    sql`json_to_recordset(${JSON.stringify(groupsOf(rows))}::json) ${shape}`;
  const read = sql.raw(`select ${values.join(", ")} from`);
  return {
    columns: sql.raw([...sharedNames, ...ownNames].join(", ")),
    groups,
    select: (rows) => sql`${read} ${groups(rows)} ${sql.raw(each)}`,
    rowsOf: (given) => sql`${read} ${given} as shared ${sql.raw(each)}`,
  };
}

/** A row is compared with this many recent groups before its group is looked up. */
const maxRecent = 3;

interface Group {
  first: Record<string, Value>;
  /** PostgreSQL's array text for each of the own columns; quicker to write and read than JSON. */
  lists: string[];
}

function isEqual(names: readonly string[], a: Record<string, Value>, b: Record<string, Value>): boolean {
  for (const name of names) if (a[name] !== b[name]) return false;
  return true;
}

function isTime(type: string): boolean {
  return type === "timestamptz";
}

const plainWord = /^[\w.-]+$/;

const onlyNulls = /^(?:,NULL)*$/;

function element(value: Value): string | number {
  if (typeof value === "number") return Number.isFinite(value) ? value : "NULL";
  if (value === null) return "NULL";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value !== "string") return value.getTime();
  return plainWord.test(value) && value !== "NULL" ? value : `"${value.replace(/["\\]/g, "\\$&")}"`;
}

/**
 * An array of only nulls is sent as null, because `unnest` fills it with nulls up to the length of the
 * others.
 */
function arrayOf(list: string): string | null {
  return onlyNulls.test(list) ? null : `{${list.slice(1)}}`;
}

/** The end of an `insert` whose rows may exist already. */
export const unlessThere = sql`on conflict do nothing`;

/**
 * Inserts rows that are almost always new: they exist only if the answer to an earlier insert was lost. The
 * first try has no `on conflict`, which would cost each row a third more. If that try fails, a second one has
 * it.
 */
export async function writeNew(insert: (areNew: boolean) => Promise<unknown>): Promise<void> {
  try {
    await insert(true);
  } catch (error) {
    if (!isRejectedData(error)) throw error;
    await insert(false);
  }
}
