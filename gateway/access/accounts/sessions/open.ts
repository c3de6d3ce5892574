import type { FastifyRequest } from "fastify";
import type { Account, AccountMembership, Session, SessionMethod } from "#contract/accounts/account.ts";
import type { SecondFactorWay } from "#contract/accounts/second-factor.ts";
import { newId } from "#contract/ids.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { accounts, members, sessions, users } from "#gateway/platform/database/schema.ts";
import type { NetworkLists } from "#gateway/platform/database/tables/accounts.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import { accountOf, accountOfUser, accountsOfUser } from "../account.ts";
import { audited, recordAuditOfPerson } from "../audit.ts";
import { credentialHash, newSessionToken } from "../keys/format.ts";
import { opensAccount, providerRequired } from "../read-credential.ts";

const sessionLifetimeMs = 30 * 86_400_000;

const keySessionLifetimeMs = 7 * 86_400_000;

const longestUserAgent = 300;

/** Where a session is opened from. */
export interface Origin {
  ip: string | null;
  requestId: string | null;
  userAgent?: string | null;
}

export function originOf(request: FastifyRequest): Origin {
  const userAgent = request.headers["user-agent"]?.slice(0, longestUserAgent) ?? null;
  return { ip: request.clientAddress, requestId: request.id, userAgent };
}

interface OpenOptions {
  secondFactor?: SecondFactorWay;
  /** The account to show first, if one was just joined. */
  accountId?: string;
}

/** The sign-in methods of a person's first session, when no address is known yet. */
const firstSessions: readonly SessionMethod[] = ["invitation", "setup"];

/**
 * Opens a session for a user in the caller's transaction. Throws `account_not_found` for a user without an
 * account, `provider_sign_in_required` if all their accounts require another way to sign in, and
 * `network_not_allowed` if none of the others may be used from this address.
 */
export async function openSession(
  { networks }: Pick<AccessContext, "networks">,
  queries: Queries,
  userId: string,
  method: SessionMethod,
  origin: Origin,
  { secondFactor, accountId }: OpenOptions = {},
): Promise<Session> {
  const memberships = await accountsOfUser(queries, userId);
  const open = memberships.filter(({ sign_in: rule }) => opensAccount(method, rule));
  const lists = await networksOf(queries, userId);
  const isAdmitted = ({ id }: AccountMembership) =>
    networks.admits(signingIn(lists.get(id)), origin.ip ?? "");
  const admitted = open.filter(isAdmitted);
  const first = admitted.find(({ id }) => id === accountId) ?? admitted[0];
  if (!first && open[0]) {
    const [person] = await queries.select().from(users).where(eq(users.id, userId));
    const refusals = open.map(({ id }) => {
      const caller = { accountId: id, kind: "user", id: userId, userId, name: person?.name ?? "" } as const;
      return networks.refuse({ ...caller, ...signingIn(lists.get(id)) }, origin.ip ?? "");
    });
    throw refusals[0];
  }
  if (!first && memberships.length > 0) throw providerRequired();
  if (!first)
    throw new ApiError(
      "account_not_found",
      "You are not a member of any account. Ask a colleague for an invitation.",
    );
  const account = await accountOfUser(queries, first, userId, method);
  await recordNewPlace(queries, userId, method, origin);
  const opened = await writeSession(queries, { userId, method, lifetimeMs: sessionLifetimeMs }, origin);
  await recordAuditOfPerson(queries, userId, {
    actor: { kind: "user", id: userId, userId, name: account.user?.name ?? "" },
    action: "session.created",
    targetId: opened.id,
    detail: { method, ...(secondFactor && { second_factor: secondFactor }) },
    ip: origin.ip,
    requestId: origin.requestId,
  });
  return { ...opened, account, accounts: memberships };
}

/** The person's accounts that only some networks may use. */
async function networksOf(queries: Queries, userId: string): Promise<Map<string, NetworkLists | null>> {
  const rows = await queries
    .select({ id: accounts.id, networks: accounts.networks })
    .from(accounts)
    .innerJoin(members, eq(members.accountId, accounts.id))
    .where(eq(members.userId, userId));
  return new Map(rows.map(({ id, networks }) => [id, networks]));
}

/** What the networks of an account ask of somebody who signs in. */
const signingIn = (lists: NetworkLists | null | undefined) => ({
  accountNetworks: lists?.sign_in ?? null,
  sessionId: "",
});

/**
 * Records a sign-in from an address without a session of this person in the last month. Call it before
 * writing the new session.
 */
export async function recordNewPlace(
  queries: Queries,
  userId: string,
  method: SessionMethod,
  { ip, userAgent = null }: { ip: string | null; userAgent?: string | null },
): Promise<void> {
  if (firstSessions.includes(method) || ip === null) return;
  const before = await queries
    .selectDistinct({ ip: sessions.ip })
    .from(sessions)
    .where(eq(sessions.userId, userId));
  const place = addressBlock(ip);
  if (before.length === 0 || before.some(({ ip: known }) => known !== null && addressBlock(known) === place))
    return;
  await recordCause(queries, {
    cause: "sign_in.new_place",
    accountId: null,
    userId,
    subjectId: place,
    data: { ip, device: userAgent, method, at: clock.date().toISOString() },
  });
}

/**
 * Opens a session for the calling account key. It has the key's permissions, ends with the key at the latest,
 * and can be ended separately. Throws `insufficient_scope` for other callers, including a session of a key,
 * and `network_not_allowed`.
 */
export async function openKeySession(
  context: AccessContext,
  caller: Caller,
  origin: Origin,
): Promise<Session> {
  const { actor } = caller;
  const { secretHash } = actor;
  if (actor.kind !== "key" || actor.sessionId !== null || actor.shortKey || secretHash === undefined)
    throw new ApiError("insufficient_scope", "Only an account key itself can open a session of that key.");
  const asSession = { ...actor, sessionId: "" };
  if (!context.networks.admits(asSession, origin.ip ?? ""))
    throw context.networks.refuse(asSession, origin.ip ?? "");
  const account: Account = await accountOf(context.database.queries, actor);
  return audited(context, caller, "session.created", async (queries) => {
    const holder = { keyHash: secretHash, method: "key" as const, lifetimeMs: keySessionLifetimeMs };
    const opened = await writeSession(queries, holder, origin);
    return { target: opened.id, detail: { method: "key" }, result: { ...opened, account, accounts: [] } };
  });
}

interface Holder {
  userId?: string;
  keyHash?: string;
  method: SessionMethod;
  lifetimeMs: number;
}

async function writeSession(
  queries: Queries,
  { lifetimeMs, ...holder }: Holder,
  { ip, userAgent = null }: Origin,
): Promise<Omit<Session, "account" | "accounts">> {
  const token = newSessionToken();
  const id = newId("session");
  const expiresAt = new Date(clock.now() + lifetimeMs);
  await queries
    .insert(sessions)
    .values({ id, ...holder, tokenHash: credentialHash(token), ip, userAgent, expiresAt });
  return { id, object: "session", token, expires_at: expiresAt.toISOString() };
}

export const sessionSweep = rowSweep({ kind: "sessions", table: "sessions", dueAt: "expires_at" });
