import type { SessionMethod, SignInRule } from "#contract/accounts/account.ts";
import { type KeyContents, keyScopes, type Scope } from "#contract/accounts/constants.ts";
import {
  type Permission,
  permissions,
  permissionsOfRole,
  permissionsOfScopes,
} from "#contract/accounts/permissions.ts";
import type { Budgets, TaskBudget } from "#contract/money/budgets.ts";
import { memberHolder } from "#gateway/billing/budgets/state.ts";
import type { Actor, Holder } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import {
  alias,
  and,
  asc,
  eq,
  getTableColumns,
  or,
  type SQL,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import {
  accountDeletions,
  accounts,
  apiKeys,
  members,
  sessions,
  shortKeys,
  users,
} from "#gateway/platform/database/schema.ts";
import type { ContentsRule, NetworkLists, Suspension } from "#gateway/platform/database/tables/accounts.ts";
import { hasSecondFactor } from "./second-factor/read.ts";
import { type SetLimitColumns, setLimitColumns, setLimitsIn } from "./set-limits.ts";
import { type TokenRateColumns, tokenLimitsOf } from "./token-rates.ts";

export type RefusalCode = "invalid_api_key" | "expired_api_key" | "revoked_api_key";

export interface Known {
  /** One actor per account in which the credential is valid: a person's session may have several. */
  actors: readonly [Actor, ...Actor[]];
  /** The person's accounts that this session may not select, because of how it was opened. */
  withheld?: readonly string[];
  validUntil: number;
  /** By `performance.now()`, which never decreases. */
  readAt: number;
}

export interface Refused {
  refusal: RefusalCode;
  /** The id of the key, session or user whose change may end the refusal, if any. */
  id: string | null;
}

/** The database's data about a credential. */
export type CredentialEntry = Known | Refused;

/** SQL: whether an account has a money budget or is prepaid. */
const isMoneyLimited = sql<boolean>`(${accounts.budgets} is not null or ${accounts.credit} is not null)`;

/** What a caller's account says of all its callers: limits, networks, whether contents are kept, and a suspension. */
export const accountLimits = {
  isMoneyLimited,
  suspension: accounts.suspension,
  accountTaskBudget: accounts.taskBudget,
  accountContents: accounts.contents,
  accountTokens: {
    // If its first column is null, drizzle takes the whole object for missing.
    id: accounts.id,
    tokensPerMinute: accounts.tokensPerMinute,
    modelTokensPerMinute: accounts.modelTokensPerMinute,
  },
  networkLists: accounts.networks,
  ...setLimitColumns,
};

export interface AccountLimits extends SetLimitColumns {
  /** Whether the account has a money budget or is prepaid; null means no. */
  isMoneyLimited: boolean | null;
  suspension: Suspension | null;
  accountTaskBudget: TaskBudget | null;
  accountContents: ContentsRule | null;
  accountTokens: TokenRateColumns | null;
  networkLists: NetworkLists | null;
}

/** The service key as which the key of a rule acts. */
const actedAs = alias(apiKeys, "acted_as");

/**
 * The first key that matches, with its member if it is a personal key, the service key as which it acts if it
 * is that of a rule, and with the account's pending deletion.
 */
export function keyWithMember(queries: Queries, like: SQL | undefined) {
  return queries
    .select({
      key: getTableColumns(apiKeys),
      member: getTableColumns(members),
      actedAs: getTableColumns(actedAs),
      closesAt: accountDeletions.dueAt,
      ...accountLimits,
    })
    .from(apiKeys)
    .leftJoin(actedAs, and(eq(actedAs.id, apiKeys.madeBy), eq(apiKeys.boundTo, "exchange")))
    .leftJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, apiKeys.accountId))
    .leftJoin(members, and(eq(members.accountId, apiKeys.accountId), eq(members.userId, apiKeys.userId)))
    .where(like)
    .limit(1);
}

/**
 * The key whose current or previous secret has this hash. A personal key has the current rights of its
 * member.
 */
export async function readKey(database: Database, hash: string): Promise<CredentialEntry> {
  const readAt = performance.now();
  const [found] = await keyWithMember(
    database.queries,
    or(eq(apiKeys.secretHash, hash), eq(apiKeys.previousSecretHash, hash)),
  );
  if (!found) return { refusal: "invalid_api_key", id: null };
  const { secretHash, secretExpiresAt, previousExpiresAt } = found.key;
  return keyEntry(found, hash, secretHash === hash ? secretExpiresAt : previousExpiresAt, readAt);
}

/** The short key whose secret has this hash, with the current rights and limits of its rule. */
export async function readShortKey(database: Database, hash: string): Promise<CredentialEntry> {
  const readAt = performance.now();
  const { queries } = database;
  const [short] = await queries.select().from(shortKeys).where(eq(shortKeys.secretHash, hash));
  const [found] = short ? await keyWithMember(queries, eq(apiKeys.id, short.keyId)) : [];
  if (!short || !found) return { refusal: "invalid_api_key", id: null };
  if (short.endedAt) return { refusal: "revoked_api_key", id: short.id };
  const { id, subject, expiresAt } = short;
  const scopes = found.key.scopes.filter((scope) => short.scopes.includes(scope));
  const key = { ...found.key, scopes, name: `${found.key.name} (${subject})` };
  const entry = keyEntry({ ...found, key }, hash, expiresAt, readAt);
  if (!("actors" in entry)) return entry;
  return { ...entry, actors: [{ ...entry.actors[0], shortKey: { id, subject } }] };
}

type FoundKey = Awaited<ReturnType<typeof keyWithMember>>[number];

function keyEntry(found: FoundKey, hash: string, secretEnd: Date | null, readAt: number): CredentialEntry {
  const { key, member, closesAt, actedAs: acted } = found;
  if (key.revokedAt || (closesAt && closesAt <= clock.date()))
    return { refusal: "revoked_api_key", id: key.id };
  if (key.userId !== null && !member) return { refusal: "revoked_api_key", id: key.userId };
  if (acted?.revokedAt) return { refusal: "revoked_api_key", id: acted.id };
  const limits = [key.expiresAt, secretEnd, closesAt, acted?.expiresAt];
  const validUntil = Math.min(...limits.map((limit) => limit?.getTime() ?? Number.POSITIVE_INFINITY));
  if (validUntil <= clock.now()) return { refusal: "expired_api_key", id: key.id };
  const expiresAt = Number.isFinite(validUntil) ? new Date(validUntil) : null;
  return {
    actors: [{ ...keyActor(found), secretHash: hash, expiresAt }],
    validUntil,
    readAt,
  };
}

/**
 * The actor of a key. A personal key has the current rights of its member. The key of a rule has the responsible
 * person of the service key as which it acts, and no more rights than that key has now.
 */
function keyActor({ key, member, closesAt, actedAs: acted, ...limits }: FoundKey): Actor {
  const role = member?.role ?? null;
  const scopes = common(key.scopes, acted?.scopes) as Scope[];
  return {
    accountId: key.accountId,
    kind: "key",
    ...limitsIn(key),
    name: key.name,
    sessionId: null,
    userId: key.userId,
    role,
    actsAs: acted && limitsIn(acted),
    answeredBy: key.userId ?? (acted ?? key).answeredBy,
    scopes,
    permissions: permissionsIn(limits, closesAt, permissionsOfScopes(scopes, role)),
    isOperator: scopes.includes("operator"),
    closesAt,
    operatorLimits: setLimitsIn(limits),
    suspendedFor: limits.suspension?.reason ?? null,
    models: common(key.models, acted?.models),
    regions: common(key.regions, acted?.regions),
    allowedOrigins: common(key.allowedOrigins, acted?.allowedOrigins),
    networks: (acted ?? key).networks,
    accountNetworks: limits.networkLists?.keys ?? null,
    boundTo: key.boundTo === "exchange" ? null : key.boundTo,
    tokenLimits: tokenLimitsOf(
      ...[key, acted].map((rates) => ({ of: "key" as const, subject: rates?.id ?? "", rates })),
      { of: "member", subject: memberHolder(key.userId ?? "", key.accountId), rates: member },
      { of: "account", subject: key.accountId, rates: tokensOfAccount(limits) },
    ),
    memberBudget: member?.monthlyBudget ?? null,
    ...moneyLimits(limits, key.budgets ?? acted?.budgets ?? member?.budgets ?? null, [
      key.taskBudget,
      acted?.taskBudget,
    ]),
    ...contentsOf(limits, acted?.contents === "off" ? "off" : key.contents),
    expiresAt: key.expiresAt,
  };
}

/** What both lists allow; null: all. */
function common<Name>(own: Name[], outer?: Name[] | null): Name[];
function common<Name>(own: Name[] | null, outer?: Name[] | null): Name[] | null;
function common<Name>(own: Name[] | null, outer: Name[] | null = null): Name[] | null {
  return own && outer ? own.filter((name) => outer.includes(name)) : (own ?? outer);
}

function limitsIn(key: FoundKey["key"]): Holder {
  const { id, requestsPerMinute, maxConcurrency, operatorLimits, monthlyBudget } = key;
  return { id, requestsPerMinute, maxConcurrency, operatorKeyLimits: operatorLimits, monthlyBudget };
}

/** Allowed while deletion is pending: read, cancel runs, undo the deletion. */
const whileClosing = new Set(
  permissions.filter(
    (permission) =>
      permission.endsWith(":read") ||
      ["usage:own", "predictions:cancel", "account:manage"].includes(permission),
  ),
);

/**
 * The permissions that remain: none in a suspended account, few before a pending deletion begins, none
 * after.
 */
function permissionsIn(
  { suspension }: AccountLimits,
  closesAt: Date | null,
  granted: ReadonlySet<Permission>,
): ReadonlySet<Permission> {
  if (suspension !== null) return new Set();
  if (closesAt === null) return granted;
  if (closesAt <= clock.date()) return new Set();
  return new Set([...granted].filter((permission) => whileClosing.has(permission)));
}

/** The session with this hash, with the current rights of its user's role in each account, or of its key. */
export async function readSession(database: Database, hash: string): Promise<CredentialEntry> {
  const readAt = performance.now();
  const rows = await database.queries
    .select({
      session: getTableColumns(sessions),
      user: getTableColumns(users),
      member: getTableColumns(members),
      secondFactorFrom: accounts.secondFactorFrom,
      hasSecondFactor,
      signIn: accounts.signIn,
      closesAt: accountDeletions.dueAt,
      ...accountLimits,
    })
    .from(sessions)
    .leftJoin(users, eq(users.id, sessions.userId))
    .leftJoin(members, eq(members.userId, sessions.userId))
    .leftJoin(accounts, eq(accounts.id, members.accountId))
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, members.accountId))
    .where(eq(sessions.tokenHash, hash))
    .orderBy(asc(members.createdAt), asc(members.accountId));
  const [first] = rows;
  if (!first) return { refusal: "invalid_api_key", id: null };
  const { session, user } = first;
  if (session.revokedAt) return { refusal: "revoked_api_key", id: session.id };
  const validUntil = session.expiresAt.getTime();
  if (validUntil <= clock.now()) return { refusal: "expired_api_key", id: session.id };
  if (session.keyHash) {
    const key = await readKey(database, session.keyHash);
    if (!("actors" in key)) return key;
    const [actor] = key.actors;
    return {
      actors: [{ ...actor, secretHash: hash, sessionId: session.id }],
      validUntil: Math.min(key.validUntil, validUntil),
      readAt,
    };
  }
  const isOpen = ({ signIn }: (typeof rows)[number]) => opensAccount(session.method, signIn ?? "any");
  const actors = rows.filter(isOpen).flatMap((row) => {
    const { member, secondFactorFrom, hasSecondFactor, closesAt } = row;
    if (!user || !member) return [];
    const isFromProvider = session.method === "oidc";
    const isBarred = !isFromProvider && lacksSecondFactor(secondFactorFrom, hasSecondFactor);
    const actor = memberActor(user, member, isBarred, closesAt, row);
    return { ...actor, isFromProvider, secretHash: hash, sessionId: session.id };
  });
  const withheld = rows.flatMap((row) => (row.member && !isOpen(row) ? row.member.accountId : []));
  const [actor, ...others] = actors;
  if (!actor) return { refusal: "revoked_api_key", id: session.userId };
  return { actors: [actor, ...others], withheld, validUntil, readAt };
}

/** Whether a session opened in this way may select an account with this rule. */
export function opensAccount(method: SessionMethod | null, rule: SignInRule): boolean {
  return rule === "any" || method === "oidc";
}

/** Whether the account already requires a second factor and this person has none. */
export function lacksSecondFactor(requiredFrom: Date | null, hasOne: boolean): boolean {
  return requiredFrom !== null && requiredFrom <= clock.date() && !hasOne;
}

/** Scopes that people can give to keys. */
const ofPeople = keyScopes.filter((scope) => scope !== "operator");

export function memberActor(
  user: typeof users.$inferSelect,
  member: typeof members.$inferSelect,
  secondFactorMissing: boolean,
  closesAt: Date | null,
  limits: AccountLimits,
): Actor {
  const { accountId, role, monthlyBudget, budgets } = member;
  return {
    accountId,
    kind: "user",
    id: user.id,
    name: user.name,
    sessionId: null,
    userId: user.id,
    role,
    answeredBy: user.id,
    scopes: user.isOperator ? keyScopes : ofPeople,
    permissions: secondFactorMissing ? new Set() : permissionsIn(limits, closesAt, permissionsOfRole(role)),
    isOperator: user.isOperator && !secondFactorMissing,
    secondFactorMissing,
    closesAt,
    operatorLimits: setLimitsIn(limits),
    suspendedFor: limits.suspension?.reason ?? null,
    accountNetworks: limits.networkLists?.sign_in ?? null,
    models: null,
    regions: null,
    requestsPerMinute: null,
    tokenLimits: tokenLimitsOf(
      { of: "member", subject: memberHolder(user.id, accountId), rates: member },
      { of: "account", subject: accountId, rates: tokensOfAccount(limits) },
    ),
    maxConcurrency: null,
    monthlyBudget: null,
    memberBudget: monthlyBudget,
    ...moneyLimits(limits, budgets, []),
    ...contentsOf(limits, "inherit"),
    expiresAt: null,
  };
}

/** What is kept of the contents of a caller's runs. A key's switch is null in rows of earlier releases. */
function contentsOf(
  { accountContents: rule }: AccountLimits,
  ofKey: KeyContents | null,
): Pick<Actor, "contents"> {
  if (rule === null) return {};
  const isOn = rule.keep === "all" ? ofKey !== "off" : ofKey === "on";
  return { contents: { isOn, embeddings: rule.embeddings } };
}

/** The tokens per minute that an account set for itself, or those of its operator if they are fewer. */
function tokensOfAccount({ accountTokens, ...limits }: AccountLimits): TokenRateColumns | null {
  const most = setLimitsIn(limits).tokens_per_minute;
  if (!accountTokens || !most) return accountTokens;
  return { ...accountTokens, tokensPerMinute: Math.min(most, accountTokens.tokensPerMinute ?? most) };
}

const noTasks: readonly string[] = [];

function moneyLimits(
  { isMoneyLimited, accountTaskBudget }: AccountLimits,
  budgets: Budgets | null,
  taskBudgets: readonly (TaskBudget | null | undefined)[],
): Pick<Actor, "hasMoneyLimit" | "taskKeys"> {
  const capped = [accountTaskBudget, ...taskBudgets].flatMap((cap) => (cap ? [cap.metadata_key] : []));
  return {
    hasMoneyLimit: isMoneyLimited === true || budgets !== null || capped.length > 0,
    taskKeys: capped.length > 0 ? capped : noTasks,
  };
}

/** The person or key that started work which runs later, read from the work's row. */
interface Asker {
  accountId: string;
  keyId: string | null;
  userId: string | null;
}

/**
 * The key or member with their current rights, for work that they asked for earlier. Throws
 * `revoked_api_key`, `expired_api_key`, `member_not_found` or `second_factor_required`.
 */
export async function readActorNow(database: Database, asker: Asker): Promise<Actor> {
  return asker.keyId === null ? readMemberNow(database, asker) : readKeyNow(database, asker, asker.keyId);
}

async function readKeyNow({ queries }: Database, { accountId }: Asker, keyId: string): Promise<Actor> {
  const [found] = await keyWithMember(queries, and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId)));
  if (!found || found.key.revokedAt || found.actedAs?.revokedAt)
    throw new ApiError(
      "revoked_api_key",
      "The key that started this run was revoked. Start the run again with another key.",
    );
  const { key, member, actedAs: acted } = found;
  if (key.userId !== null && !member)
    throw new ApiError(
      "revoked_api_key",
      "The key that started this run ended when its member was removed. Start the run again with another key.",
    );
  if ([key, acted].some((each) => each?.expiresAt && each.expiresAt <= clock.date()))
    throw new ApiError(
      "expired_api_key",
      "The key that started this run has expired. Start the run again with another key.",
    );
  return keyActor(found);
}

async function readMemberNow({ queries }: Database, { accountId, userId }: Asker): Promise<Actor> {
  const [found] = await queries
    .select({
      user: getTableColumns(users),
      member: getTableColumns(members),
      secondFactorFrom: accounts.secondFactorFrom,
      hasSecondFactor,
      usesProvider: sql<boolean>`exists (select from identities where identities.user_id = users.id)`,
      closesAt: accountDeletions.dueAt,
      ...accountLimits,
    })
    .from(members)
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, members.accountId))
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(and(eq(members.accountId, accountId), eq(members.userId, userId ?? "")));
  if (!found)
    throw new ApiError(
      "member_not_found",
      "The member who started this run was removed from the account. Another member can start it again.",
    );
  // A member whose sessions may come from the identity provider, which need no second factor, is not required
  // to have one here.
  if (!found.usesProvider && lacksSecondFactor(found.secondFactorFrom, found.hasSecondFactor))
    throw new ApiError(
      "second_factor_required",
      "The account requires a second factor, and the member who started this run has none. Set one up, then start the run again.",
    );
  return memberActor(found.user, found.member, false, found.closesAt, found);
}

export function providerRequired(): ApiError {
  return new ApiError(
    "provider_sign_in_required",
    "Members of this account sign in with its identity provider. Use the provider's button.",
  );
}
