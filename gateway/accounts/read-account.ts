import { eq } from "drizzle-orm";
import type { Account } from "#contract/account.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Queries } from "#gateway/database/database.ts";
import { accounts, users } from "#gateway/database/schema.ts";

/** The account as its user sees it. */
export async function accountOfUser(queries: Queries, userId: string): Promise<Account> {
  const [row] = await queries
    .select({ user: users, account: accounts })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, userId));
  if (!row) throw new ApiError("invalid_api_key", "This user no longer exists.");
  const { id, name, email } = row.user;
  return {
    id: row.account.id,
    object: "account",
    name: row.account.name,
    created_at: row.account.createdAt.toISOString(),
    user: { id, name, email },
    key: null,
  };
}

/** The account as the caller sees it: with the signed-in user or the calling key. */
export async function accountOf(queries: Queries, actor: Actor): Promise<Account> {
  if (actor.kind === "user") return accountOfUser(queries, actor.id);
  const [row] = await queries.select().from(accounts).where(eq(accounts.id, actor.accountId));
  if (!row) throw new ApiError("invalid_api_key", "This account no longer exists.");
  return {
    id: row.id,
    object: "account",
    name: row.name,
    created_at: row.createdAt.toISOString(),
    user: null,
    key: { id: actor.id, name: actor.name, scopes: [...actor.scopes] },
  };
}
