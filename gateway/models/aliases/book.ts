import { type AccountCache, openAccountCache } from "#gateway/platform/database/account-cache.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { asc, eq, isNull, or } from "#gateway/platform/database/drizzle.ts";
import { aliases } from "#gateway/platform/database/schema.ts";

export type AliasRow = typeof aliases.$inferSelect;

/** The channel that announces changes: the payload is the account's id, or empty for shared aliases. */
export const aliasChannel = "aliases_changed";

/** The aliases of all accounts, cached in memory per account. */
export interface AliasBook extends Pick<AccountCache<unknown>, "forget" | "close"> {
  /** The account's own alias of this name, otherwise the shared one; null if there is neither. */
  find(accountId: string, name: string): Promise<AliasRow | null>;
  /** All aliases that an account can use, sorted by name. For null, only the shared ones. */
  list(accountId: string | null): Promise<readonly AliasRow[]>;
  /** The aliases of an account that are in memory, for errors; empty if none were read yet. */
  known(accountId: string): readonly AliasRow[];
}

export async function openAliasBook(database: Database): Promise<AliasBook> {
  const cache = await openAccountCache(database, aliasChannel, async (accountId) => {
    const rows = await database.queries
      .select()
      .from(aliases)
      .where(or(isNull(aliases.accountId), accountId === null ? undefined : eq(aliases.accountId, accountId)))
      .orderBy(asc(aliases.name), asc(aliases.id));
    const byName = new Map<string, AliasRow>();
    for (const row of rows) if (row.accountId !== null || !byName.has(row.name)) byName.set(row.name, row);
    return byName as ReadonlyMap<string, AliasRow>;
  });
  return {
    find: async (accountId, name) => (await cache.read(accountId)).get(name) ?? null,
    list: async (accountId) => [...(await cache.read(accountId)).values()],
    known: (accountId) => [...(cache.known(accountId)?.values() ?? [])],
    forget: cache.forget,
    close: cache.close,
  };
}
