import { eq } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Queries } from "#gateway/database/database.ts";
import { accountStorage } from "#gateway/database/schema.ts";

/**
 * Call it in the transaction that added to the account's uploads: triggers maintain their total in one row and lock it,
 * so that concurrent requests cannot exceed the limit together. Throws `storage_limit_exceeded`.
 */
export async function assertWithinStorage(
  { config }: Context,
  queries: Queries,
  accountId: string,
): Promise<void> {
  const [row] = await queries
    .select({ bytes: accountStorage.bytes })
    .from(accountStorage)
    .where(eq(accountStorage.accountId, accountId));
  if ((row?.bytes ?? 0) > config.storageBytesPerAccount)
    throw new ApiError(
      "storage_limit_exceeded",
      `The uploads of this account would take up more than ${config.storageBytesPerAccount} bytes. Delete some, or wait until some expire.`,
    );
}
