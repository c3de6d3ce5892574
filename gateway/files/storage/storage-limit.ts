import { setLimitColumns, setLimitsIn } from "#gateway/access/accounts/set-limits.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { accountStorage, accounts } from "#gateway/platform/database/schema.ts";

/** How long an account's total is reused to admit runs. */
const reusedMs = 1_000;
/** Above this share of the limit, the total is read again for every run. */
const reusedBelow = 0.9;
const maxAccounts = 10_000;

interface Total {
  bytes: number;
  limit: number;
}

/**
 * Limits the bytes that an account stores: uploads, and inputs and outputs of its runs. Triggers maintain the
 * total, in one row per account.
 */
export interface StorageLimit {
  /**
   * Call it in the transaction that added files. The triggers lock the total, so that concurrent requests
   * cannot exceed the limit together. Throws `storage_limit_exceeded`.
   */
  assertWithin(queries: Queries, accountId: string): Promise<void>;
  /** Admits a run whose outputs will be stored, if the limit is not reached. Throws `storage_limit_exceeded`. */
  assertRoom(accountId: string): Promise<void>;
}

export function createStorageLimit(
  { storageBytesPerAccount: usualLimit }: Pick<Config, "storageBytesPerAccount">,
  database: Database,
): StorageLimit {
  const totals = new Map<string, { total: Promise<Total>; readAt: number }>();

  function recentTotal(accountId: string): Promise<Total> {
    const known = totals.get(accountId);
    if (known && performance.now() - known.readAt < reusedMs) return known.total;
    if (totals.size >= maxAccounts) totals.clear();
    const total = readTotal(database.queries, accountId);
    totals.set(accountId, { total, readAt: performance.now() });
    total.catch(() => totals.delete(accountId));
    return total;
  }

  /** An account's total, with the limit that an operator set for it, or the usual one. */
  async function readTotal(queries: Queries, accountId: string): Promise<Total> {
    const [row] = await queries
      .select({ bytes: accountStorage.bytes, ...setLimitColumns })
      .from(accounts)
      .leftJoin(accountStorage, eq(accountStorage.accountId, accounts.id))
      .where(eq(accounts.id, accountId));
    const limit = row && setLimitsIn(row).storage_bytes;
    return { bytes: row?.bytes ?? 0, limit: limit ?? usualLimit };
  }

  return {
    async assertWithin(queries, accountId) {
      const { bytes, limit } = await readTotal(queries, accountId);
      if (bytes > limit) throw exceeded(limit);
    },
    async assertRoom(accountId) {
      const recent = await recentTotal(accountId);
      if (recent.bytes < recent.limit * reusedBelow) return;
      const { bytes, limit } = await readTotal(database.queries, accountId);
      if (bytes >= limit) throw exceeded(limit);
    },
  };
}

/**
 * Call before removing files of several accounts: all writers that change totals lock them in the same order.
 */
export async function lockTotals(queries: Queries, rows: readonly { accountId: string }[]): Promise<void> {
  const ids = [...new Set(rows.map(({ accountId }) => accountId))];
  await queries
    .select({ id: accountStorage.accountId })
    .from(accountStorage)
    .where(inArray(accountStorage.accountId, ids))
    .orderBy(accountStorage.accountId)
    .for("update");
}

function exceeded(limit: number): ApiError {
  return new ApiError(
    "storage_limit_exceeded",
    `The stored files of this account would take up more than ${limit} bytes. Delete uploads or kept files, or wait until files expire.`,
  );
}
