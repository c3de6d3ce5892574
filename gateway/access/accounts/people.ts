import type { Maker, Person } from "#contract/accounts/people.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { accounts, apiKeys, users } from "#gateway/platform/database/schema.ts";
import type { Language } from "#messages/languages.ts";

/** The people with these ids, in the form used in lists. */
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

/** The creator of an object: a person, a key, or a person with a key. */
export interface Made {
  userId: string | null;
  keyId: string | null;
}

/** Returns a function that gives the creator of a row, with names. */
export async function readMakers(queries: Queries, rows: readonly Made[]): Promise<(row: Made) => Maker> {
  const people = await readPeople(
    queries,
    rows.map(({ userId }) => userId),
  );
  const keyIds = [...new Set(rows.map(({ keyId }) => keyId))].filter((id) => id !== null);
  const keys =
    keyIds.length === 0
      ? []
      : await queries
          .select({ id: apiKeys.id, name: apiKeys.name })
          .from(apiKeys)
          .where(inArray(apiKeys.id, keyIds));
  const byId = new Map(keys.map((key) => [key.id, key]));
  return ({ userId, keyId }) => ({
    user: people.find(userId),
    key: keyId === null ? null : (byId.get(keyId) ?? { id: keyId, name: keyId }),
  });
}

/** The language that a person has chosen; null if none, or if there is no such person. */
export async function languageOf(queries: Queries, id: string | null): Promise<Language | null> {
  if (id === null) return null;
  const [user] = await queries.select({ language: users.language }).from(users).where(eq(users.id, id));
  return user?.language ?? null;
}

/** The name of an account; null if there is no such account. */
export async function accountName(queries: Queries, id: string): Promise<string | null> {
  const [account] = await queries.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, id));
  return account?.name ?? null;
}
