import { setBounded } from "#gateway/platform/core/remembered.ts";
import type { Database } from "./database.ts";

/**
 * How long a value stays in memory. Changes are notified; this limits the effect of a lost notification.
 */
const freshMs = { listening: 30_000, deaf: 1_000 } as const;
const maxAccounts = 10_000;
/** The cache key for callers without an account. */
const nobody = "";

/** One value per account, cached in memory, such as its aliases. */
export interface AccountCache<Value> {
  /** The value, if it is in memory and fresh: most requests need nothing else. */
  fresh(accountId: string | null): Value | undefined;
  /** The value; while the database is unavailable, the cached one. */
  read(accountId: string | null): Promise<Value>;
  /** The value that is in memory, however old. */
  known(accountId: string): Value | undefined;
  /** Drops the value of an account, or of all (null): the next use reads it again. */
  forget(accountId: string | null): void;
  close(): void;
}

/**
 * Opens a cache of what `load` reads for an account; null: for nobody. `channel` announces changes: its payload
 * is the account's id, or empty for all.
 */
export async function openAccountCache<Value>(
  database: Database,
  channel: string,
  load: (accountId: string | null) => Promise<Value>,
): Promise<AccountCache<Value>> {
  const entries = new Map<string, { value: Value; readAt: number }>();
  /** Counts calls of `forget`: what was read before the last one is not cached. */
  let forgotten = 0;

  const fresh = (accountId: string | null): Value | undefined => {
    const entry = entries.get(accountId ?? nobody);
    const maxAgeMs = database.isListening() ? freshMs.listening : freshMs.deaf;
    return entry && performance.now() - entry.readAt <= maxAgeMs ? entry.value : undefined;
  };

  const readNow = async (accountId: string | null): Promise<Value> => {
    const readAt = performance.now();
    const then = forgotten;
    const value = await load(accountId);
    if (forgotten === then) setBounded(entries, accountId ?? nobody, { value, readAt }, maxAccounts);
    return value;
  };

  const forget = (accountId: string | null): void => {
    forgotten += 1;
    if (accountId === null || accountId === nobody) entries.clear();
    else entries.delete(accountId);
  };
  const stopListening = await database.listen(channel, forget);

  return {
    fresh,
    async read(accountId) {
      const cached = fresh(accountId);
      if (cached !== undefined) return cached;
      return readNow(accountId).catch((error: unknown) => {
        const last = entries.get(accountId ?? nobody);
        if (last) return last.value;
        throw error;
      });
    },
    known: (accountId) => entries.get(accountId)?.value,
    forget,
    close: () => void stopListening(),
  };
}
