import type { RecoveryCodes, SecondFactorAdded, WithProof } from "#contract/accounts/second-factor.ts";
import type { AuditAction } from "#contract/audit.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNotNull } from "#gateway/platform/database/drizzle.ts";
import {
  accounts,
  members,
  passkeys,
  recoveryCodes,
  tickets,
  totpSecrets,
  users,
} from "#gateway/platform/database/schema.ts";
import { recordAuditOfPerson, recordOwnAudit } from "../audit.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { assertProof, confirmationRequired, replaceRecoveryCodes } from "./proof.ts";
import { passkeysOf, secondFactorWaysOf } from "./read.ts";

/** The answer to a new second factor, in its transaction: the first one comes with recovery codes. */
export async function addedSecondFactor(
  queries: Queries,
  caller: Caller,
  passkeyId: string | null,
): Promise<SecondFactorAdded> {
  const { actor } = caller;
  // Two concurrent first factors would both create codes, and one of the two lists would be useless.
  await lockPerson(queries, actor.id);
  const before = await queries.$count(recoveryCodes, eq(recoveryCodes.userId, actor.id));
  const made = before > 0 ? null : await makeCodes(queries, caller);
  return { object: "second_factor_added", id: passkeyId, recovery_codes: made };
}

/** Replaces the recovery codes. Throws as `assertProof`. */
export async function renewRecoveryCodes(
  context: AccessContext,
  caller: Caller,
  { proof }: WithProof,
): Promise<RecoveryCodes> {
  await assertProof(context, caller, proof, { freshIsEnough: true });
  const codes = await context.database.transaction(async (queries) => {
    await lockPerson(queries, caller.actor.id);
    if ((await secondFactorWaysOf(queries, caller.actor.id)).length === 0)
      throw new ApiError("invalid_parameter", "Set up a passkey or an authenticator app first.");
    return makeCodes(queries, caller);
  });
  return { object: "recovery_codes", codes };
}

/**
 * Removes a second factor by calling `remove`. Removing the last one also removes the recovery codes, and
 * always requires proof. Throws `last_second_factor`, and as `assertProof`.
 */
export async function removeSecondFactor(
  context: AccessContext,
  caller: Caller,
  { proof }: WithProof,
  action: AuditAction,
  targetId: string,
  remove: (queries: Queries) => Promise<void>,
): Promise<void> {
  const { actor } = caller;
  const isLast = (await countOf(context.database.queries, actor.id)) <= 1;
  await assertProof(context, caller, proof, { freshIsEnough: !isLast });
  await context.database.transaction(async (queries) => {
    await lockPerson(queries, actor.id);
    await remove(queries);
    const left = await countOf(queries, actor.id);
    // Another one was removed meanwhile, so this one is now the last.
    if (left === 0 && proof === undefined) throw confirmationRequired();
    if (left === 0) await assertNotRequired(queries, actor.id);
    if (left === 0) await queries.delete(recoveryCodes).where(eq(recoveryCodes.userId, actor.id));
    await recordOwnAudit(queries, caller, { action, targetId, detail: { second_factors_left: left } });
  });
  context.credentials.forget(actor.id);
}

/**
 * Without a second factor the person would be locked out of an account that requires one. Throws
 * `last_second_factor`.
 */
async function assertNotRequired(queries: Queries, userId: string): Promise<void> {
  const rows = await queries
    .select({ name: accounts.name })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(and(eq(members.userId, userId), isNotNull(accounts.secondFactorFrom)));
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(", ");
  throw new ApiError(
    "last_second_factor",
    `${names} requires everybody to have a second factor, and this is your only one. Add another first.`,
  );
}

async function countOf(queries: Queries, userId: string): Promise<number> {
  const keys = await passkeysOf(queries, userId);
  const totp = await queries
    .select({ isConfirmed: totpSecrets.isConfirmed })
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, userId));
  return keys.length + totp.filter(({ isConfirmed }) => isConfirmed).length;
}

async function makeCodes(queries: Queries, caller: Caller): Promise<string[]> {
  const { id } = caller.actor;
  const codes = await replaceRecoveryCodes(queries, id);
  const detail = { codes: codes.length };
  await recordOwnAudit(queries, caller, { action: "recovery_codes.created", targetId: id, detail });
  return codes;
}

async function lockPerson(queries: Queries, userId: string): Promise<void> {
  await queries.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
}

/**
 * Removes all second factors of a person who lost them and ends their sessions; returns how many there were.
 */
export async function clearSecondFactor(queries: Queries, userId: string): Promise<number> {
  const keys = await queries.delete(passkeys).where(eq(passkeys.userId, userId)).returning();
  const totp = await queries.delete(totpSecrets).where(eq(totpSecrets.userId, userId)).returning();
  await queries.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await queries.delete(tickets).where(eq(tickets.userId, userId));
  const apps = totp.filter(({ isConfirmed }) => isConfirmed).length;
  const sessions = await endSessionsOf(queries, userId);
  await recordAuditOfPerson(queries, userId, {
    actor: null,
    action: "second_factor.cleared",
    targetId: userId,
    detail: { passkeys: keys.length, authenticator_apps: apps, sessions_ended: sessions },
  });
  return keys.length + apps;
}
