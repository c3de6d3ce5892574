import { readEmail } from "#contract/accounts/email-address.ts";
import { newId } from "#contract/ids.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts, members, users } from "#gateway/platform/database/schema.ts";
import { recordAudit } from "./audit.ts";
import { assertGoodPassword, hashPassword } from "./passwords/password.ts";

export interface NewAccount {
  name: string;
  email: string;
  password: string;
}

/**
 * Creates an account and its owner, who becomes an operator if they are the installation's first user; call
 * it inside a transaction. Throws `email_taken`, and as `newEmail` and `assertGoodPassword`.
 */
export async function createAccount(
  queries: Queries,
  input: NewAccount,
): Promise<{ accountId: string; userId: string }> {
  const email = newEmail(input.email);
  await assertGoodPassword(input.password, { email, name: input.name });
  const [taken] = await queries.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (taken)
    throw new ApiError(
      "email_taken",
      "A user with this e-mail address already exists. Sign in or use another address.",
      { param: "email" },
    );
  const isFirst = (await queries.$count(users)) === 0;
  const userId = newId("user");
  const accountId = await insertAccount(queries, input.name);
  await queries.insert(users).values({
    id: userId,
    accountId,
    email,
    name: input.name,
    passwordHash: await hashPassword(input.password),
    isOperator: isFirst,
  });
  await makeOwner(queries, accountId, { id: userId, email });
  return { accountId, userId };
}

/**
 * A new person's e-mail address in stored form. Throws `invalid_parameter` for an invalid address, or one
 * made to look like another.
 */
export function newEmail(text: string): string {
  const read = readEmail(text);
  if ("fault" in read) throw invalidParameter("email", read.fault);
  return read.address;
}

/** Creates an account whose owner already is a user; call it inside a transaction. */
export async function createAccountOf(
  queries: Queries,
  owner: { id: string; email: string },
  name: string,
): Promise<string> {
  const accountId = await insertAccount(queries, name);
  await makeOwner(queries, accountId, owner);
  return accountId;
}

async function insertAccount(queries: Queries, name: string): Promise<string> {
  const id = newId("account");
  await queries.insert(accounts).values({ id, name });
  return id;
}

async function makeOwner(
  queries: Queries,
  accountId: string,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await queries.insert(members).values({ accountId, userId: id, role: "owner" }).onConflictDoNothing();
  await recordAudit(queries, {
    accountId,
    actor: null,
    action: "account.created",
    targetId: accountId,
    detail: { email },
  });
}
