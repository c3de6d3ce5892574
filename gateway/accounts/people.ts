import { inArray } from "drizzle-orm";
import type { Person } from "#contract/people.ts";
import type { Queries } from "#gateway/database/database.ts";
import { users } from "#gateway/database/schema.ts";

/** The people with these ids, as lists name them. */
export interface People {
  find(id: string | null): Person | null;
}

export async function readPeople(queries: Queries, ids: readonly (string | null)[]): Promise<People> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  const rows =
    wanted.length === 0
      ? []
      : await queries.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, wanted));
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return { find: (id) => (id === null ? null : { id, name: names.get(id) ?? "Somebody who was removed" }) };
}
