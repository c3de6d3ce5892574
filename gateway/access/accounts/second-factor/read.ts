import type { Passkey, SecondFactor, SecondFactorWay } from "#contract/accounts/second-factor.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, isNotNull, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import {
  accounts,
  members,
  passkeys,
  recoveryCodes,
  sessions,
  totpSecrets,
  users,
} from "#gateway/platform/database/schema.ts";

/** How long after signing in a change needs no proof. */
const freshMs = 15 * 60_000;

/**
 * Conditions on a row of `users`, written as SQL because drizzle omits table names in queries with only one
 * table.
 */
const hasPasskey = sql<boolean>`exists (select from passkeys where passkeys.user_id = users.id)`;
const hasTotp = sql<boolean>`exists (select from totp_secrets where totp_secrets.user_id = users.id and is_confirmed)`;
export const hasSecondFactor = sql<boolean>`(${hasPasskey} or ${hasTotp})`;

type PasskeyRow = typeof passkeys.$inferSelect;

export function passkeyView(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    object: "passkey",
    name: row.name,
    synced: row.isSynced,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}

/** The second factors of the signed-in person. */
export async function readSecondFactor(queries: Queries, actor: Actor): Promise<SecondFactor> {
  const [user] = await queries.select().from(users).where(eq(users.id, actor.id));
  if (!user) throw new ApiError("invalid_api_key", "This user no longer exists.");
  const keys = await passkeysOf(queries, user.id);
  const [totp] = await queries
    .select()
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, user.id), eq(totpSecrets.isConfirmed, true)));
  const required = await queries
    .select({ id: accounts.id, name: accounts.name, from: accounts.secondFactorFrom })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(and(eq(members.userId, user.id), isNotNull(accounts.secondFactorFrom)));
  return {
    object: "second_factor",
    passkeys: keys.map(passkeyView),
    totp: totp
      ? { created_at: totp.createdAt.toISOString(), last_used_at: totp.lastUsedAt?.toISOString() ?? null }
      : null,
    recovery_codes_left: await recoveryCodesLeft(queries, user.id),
    has_password: user.passwordHash !== null,
    proof_needed: !(await isFreshSession(queries, actor)),
    required_by: required.flatMap(({ from, ...account }) =>
      from ? { ...account, from: from.toISOString() } : [],
    ),
  };
}

export function passkeysOf(queries: Queries, userId: string): Promise<PasskeyRow[]> {
  return queries.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.id);
}

/** A person's available second factors; empty if they have none. */
export async function secondFactorWaysOf(queries: Queries, userId: string): Promise<SecondFactorWay[]> {
  const [found] = await queries
    .select({ passkey: hasPasskey, totp: hasTotp })
    .from(users)
    .where(eq(users.id, userId));
  if (!found?.passkey && !found?.totp) return [];
  const codes = (await recoveryCodesLeft(queries, userId)) > 0;
  return [
    ...(found.passkey ? (["passkey"] as const) : []),
    ...(found.totp ? (["totp"] as const) : []),
    ...(codes ? (["recovery_code"] as const) : []),
  ];
}

async function recoveryCodesLeft(queries: Queries, userId: string): Promise<number> {
  return queries.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
}

/** Whether the caller signed in recently. */
export async function isFreshSession(queries: Queries, { sessionId }: Actor): Promise<boolean> {
  const since = new Date(clock.now() - freshMs);
  const [fresh] = await queries
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId ?? ""), gt(sessions.createdAt, since)));
  return fresh !== undefined;
}
