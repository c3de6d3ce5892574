import type { Context } from "#gateway/context.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import type { HookMessage } from "./templates.ts";
import type { HookRow } from "./view.ts";

/** Whose notices a hook gets, by a name that its readers know: that of the account, or where the installation is. */
export async function ownerOf(
  { database, config }: Pick<Context, "database" | "config">,
  { accountId }: Pick<HookRow, "accountId">,
): Promise<Pick<HookMessage, "accountId" | "ownerName">> {
  if (accountId === null) return { accountId, ownerName: new URL(config.consoleUrl).host };
  const [account] = await database.queries
    .select({ name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return { accountId, ownerName: account?.name ?? "" };
}
