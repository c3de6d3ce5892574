import type {
  Account,
  AccountMembership,
  ContentsSwitch,
  SessionMethod,
} from "#contract/accounts/account.ts";
import { readEmail } from "#contract/accounts/email-address.ts";
import { permissionsOfRole } from "#contract/accounts/permissions.ts";
import { newId } from "#contract/ids.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, members, users } from "#gateway/platform/database/schema.ts";
import type { ContentsRule } from "#gateway/platform/database/tables/accounts.ts";
import type { Language } from "#messages/languages.ts";
import { recordAudit } from "./audit.ts";
import { readDeletion } from "./deletion/deletion.ts";
import { assertGoodPassword, hashPassword } from "./passwords/password.ts";
import { hasSecondFactor } from "./second-factor/read.ts";

/** The account in the caller's view: with the signed-in user or the calling key. */
export async function accountOf(queries: Queries, actor: Actor): Promise<Account> {
  const { id, name, role, permissions, isFromProvider = false } = actor;
  const account = await accountView(queries, actor.accountId);
  return {
    ...account,
    role,
    permissions: [...permissions],
    user: actor.kind === "user" ? await userIn(queries, account, id, isFromProvider) : null,
    key: actor.kind === "key" ? { id, name, scopes: [...actor.scopes] } : null,
  };
}

/** The account as a user sees it who is about to sign in. */
export async function accountOfUser(
  queries: Queries,
  { id, role }: AccountMembership,
  userId: string,
  method: SessionMethod,
): Promise<Account> {
  const account = await accountView(queries, id);
  return {
    ...account,
    role,
    permissions: [...permissionsOfRole(role)],
    user: await userIn(queries, account, userId, method === "oidc"),
    key: null,
  };
}

/** Chosen for an account that switches contents on and names no days. */
const usualContentDays = 7;

/** What an account keeps of the contents of its calls, in the view of the API. */
export function contentsView(rule: ContentsRule | null, maxDays = usualContentDays): ContentsSwitch {
  return rule ?? { keep: "off", days: Math.min(usualContentDays, maxDays), embeddings: false };
}

async function accountView(queries: Queries, id: string) {
  const [row] = await queries.select().from(accounts).where(eq(accounts.id, id));
  if (!row) throw new ApiError("invalid_api_key", "This account no longer exists.");
  const { name, createdAt, signIn, secondFactorFrom, usageKeys, shareGatedOutputs, callbackHosts } = row;
  const { contents, retentionSeconds } = row;
  return {
    id,
    object: "account" as const,
    name,
    created_at: createdAt.toISOString(),
    sign_in: signIn,
    usage_keys: usageKeys ?? [],
    share_gated_outputs: shareGatedOutputs,
    callback_hosts: callbackHosts,
    contents: contentsView(contents),
    retention_minutes: retentionSeconds === null ? null : Math.ceil(retentionSeconds / 60),
    second_factor_from: secondFactorFrom?.toISOString() ?? null,
    deletion: await readDeletion(queries, id),
  };
}

async function userIn(
  queries: Queries,
  account: Pick<Account, "second_factor_from">,
  id: string,
  isFromProvider: boolean,
): Promise<NonNullable<Account["user"]>> {
  const [user] = await queries
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      has_second_factor: hasSecondFactor,
      operator: users.isOperator,
      language: users.language,
      has_other_accounts: sql<boolean>`(select count(*) from members where members.user_id = users.id) > 1`,
    })
    .from(users)
    .where(eq(users.id, id));
  if (!user) throw new ApiError("invalid_api_key", "This user no longer exists.");
  const needsOne = account.second_factor_from !== null && !user.has_second_factor && !isFromProvider;
  return { ...user, needs_second_factor: needsOne };
}

/** A person's accounts, in the order in which they joined. */
export async function accountsOfUser(queries: Queries, userId: string): Promise<AccountMembership[]> {
  const rows = await queries
    .select({
      id: accounts.id,
      name: accounts.name,
      role: members.role,
      sign_in: accounts.signIn,
      since: members.createdAt,
    })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt), asc(members.accountId));
  return rows.map(({ since, ...row }) => ({
    ...row,
    object: "account" as const,
    since: since.toISOString(),
  }));
}

interface NewAccount {
  name: string;
  email: string;
  password: string;
  /** Unset: no language is chosen. */
  language?: Language;
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
    language: input.language ?? null,
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
