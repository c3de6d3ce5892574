import { setBounded } from "#gateway/platform/core/remembered.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { asc, eq, isNull, or } from "#gateway/platform/database/drizzle.ts";
import { aliases } from "#gateway/platform/database/schema.ts";

export type AliasRow = typeof aliases.$inferSelect;

/** The channel that announces changes: the payload is the account's id, or empty for shared aliases. */
export const aliasChannel = "aliases_changed";
/**
 * How long an account's aliases stay in memory. Changes are notified; this limits the effect of a lost
 * notification.
 */
const freshMs = { listening: 30_000, deaf: 1_000 } as const;
const maxAccounts = 10_000;
/** The cache key for callers without an account. */
const nobody = "";

/** The aliases of all accounts, cached in memory per account. */
export interface AliasBook {
  /** The account's own alias of this name, otherwise the shared one; null if there is neither. */
  find(accountId: string, name: string): Promise<AliasRow | null>;
  /** All aliases that an account can use, sorted by name. For null, only the shared ones. */
  list(accountId: string | null): Promise<readonly AliasRow[]>;
  /** The aliases of an account that are in memory, for errors; empty if none were read yet. */
  known(accountId: string): readonly AliasRow[];
  /**
   * Drops the cached aliases of an account, or of all: the next use reads them again. Other processes are
   * notified.
   */
  forget(accountId: string | null): void;
  close(): void;
}

interface Page {
  byName: ReadonlyMap<string, AliasRow>;
  readAt: number;
}

export async function openAliasBook(database: Database): Promise<AliasBook> {
  const pages = new Map<string, Page>();
  /** Counts calls of `forget`: rows read before the last one are not cached. */
  let forgotten = 0;

  const isFresh = ({ readAt }: Page): boolean =>
    performance.now() - readAt <= (database.isListening() ? freshMs.listening : freshMs.deaf);

  const read = async (account: string): Promise<Page> => {
    const readAt = performance.now();
    const then = forgotten;
    const rows = await database.queries
      .select()
      .from(aliases)
      .where(or(isNull(aliases.accountId), account === nobody ? undefined : eq(aliases.accountId, account)))
      .orderBy(asc(aliases.name), asc(aliases.id));
    const byName = new Map<string, AliasRow>();
    for (const row of rows) if (row.accountId !== null || !byName.has(row.name)) byName.set(row.name, row);
    const page = { byName, readAt };
    if (forgotten !== then) return page;
    setBounded(pages, account, page, maxAccounts);
    return page;
  };

  const pageOf = async (account: string): Promise<Page> => {
    const known = pages.get(account);
    if (known && isFresh(known)) return known;
    // While the database is unavailable, the cached aliases stay in use.
    return read(account).catch((error: unknown) => {
      if (known) return known;
      throw error;
    });
  };

  const forget = (account: string | null): void => {
    forgotten += 1;
    if (account === null || account === nobody) pages.clear();
    else pages.delete(account);
  };
  const stopListening = await database.listen(aliasChannel, forget);

  return {
    find: async (accountId, name) => (await pageOf(accountId)).byName.get(name) ?? null,
    list: async (accountId) => [...(await pageOf(accountId ?? nobody)).byName.values()],
    known: (accountId) => [...(pages.get(accountId)?.byName.values() ?? [])],
    forget,
    close: () => void stopListening(),
  };
}
