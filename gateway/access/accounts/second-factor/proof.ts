import { randomBytes } from "node:crypto";
import type { Proof, SecondFactorWay } from "#contract/accounts/second-factor.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, lt } from "#gateway/platform/database/drizzle.ts";
import { recoveryCodes, totpSecrets, users } from "#gateway/platform/database/schema.ts";
import { recordAuditOfPerson } from "../audit.ts";
import { credentialHash } from "../keys/format.ts";
import { type Attempt, countAttempt, proveOwnPassword } from "../sessions/sign-in.ts";
import { isFreshSession } from "./read.ts";
import { sealerOf, stepOfCode } from "./totp.ts";

const totpForm = /^\d{6}$/;

type Person = typeof users.$inferSelect;

/** The signed-in person. */
export async function personOf(
  { database }: Pick<AccessContext, "database">,
  { id }: Actor,
): Promise<Person> {
  const [user] = await database.queries.select().from(users).where(eq(users.id, id));
  if (!user) throw new ApiError("invalid_api_key", "This user no longer exists.");
  return user;
}

/**
 * Protects against a stranger at an unlocked screen: asks for the password or a code before sign-in data
 * changes, unless a fresh session is enough and this is one. Throws `confirmation_required`,
 * `invalid_credentials`, `invalid_second_factor`.
 */
export async function assertProof(
  context: AccessContext,
  caller: Caller,
  proof: Proof | undefined,
  { freshIsEnough }: { freshIsEnough: boolean },
): Promise<void> {
  const { actor, ip } = caller;
  if (proof === undefined) {
    if (freshIsEnough && (await isFreshSession(context.database.queries, actor))) return;
    throw confirmationRequired();
  }
  const { email } = await personOf(context, actor);
  if (proof.password !== undefined) {
    await proveOwnPassword(context, { email, password: proof.password }, ip, "proof");
    return;
  }
  const code = proof.code ?? "";
  const attempt = await countCode(context, email, ip);
  await context.database.transaction((queries) =>
    spendCode(context, queries, { actor, ip, requestId: caller.requestId }, code),
  );
  await attempt.succeed();
}

export function confirmationRequired(): ApiError {
  return new ApiError(
    "confirmation_required",
    "Confirm that it is you: enter your password or a code. If you have neither, sign in again first.",
    { param: "proof" },
  );
}

/** Counts a typed code before it is checked. Throws `rate_limit_exceeded`. */
export function countCode(context: AccessContext, email: string, ip: string | null): Promise<Attempt> {
  return countAttempt(context, email, ip, "code");
}

/**
 * Uses up a code of the app or a recovery code; returns which of the two it was. Throws
 * `invalid_second_factor`.
 */
export async function spendCode(
  context: Pick<AccessContext, "config">,
  queries: Queries,
  {
    actor,
    ip,
    requestId,
  }: { actor: Pick<Actor, "id" | "name">; ip: string | null; requestId: string | null },
  code: string,
): Promise<SecondFactorWay> {
  const typed = code.replace(/\s/g, "");
  if (totpForm.test(typed)) {
    if (await spendTotpCode(context, queries, actor.id, typed)) return "totp";
  } else if (await spendRecoveryCode(queries, actor.id, typed)) {
    await recordAuditOfPerson(queries, actor.id, {
      actor: { kind: "user", id: actor.id, userId: actor.id, name: actor.name },
      action: "recovery_code.used",
      targetId: actor.id,
      ip,
      requestId,
    });
    return "recovery_code";
  }
  throw new ApiError("invalid_second_factor", "This code is wrong or was already used. Enter a new one.", {
    param: "code",
  });
}

/** Whether this is a code of the person's app; it then cannot be used again. */
async function spendTotpCode(
  { config }: Pick<AccessContext, "config">,
  queries: Queries,
  userId: string,
  code: string,
): Promise<boolean> {
  const [row] = await queries.select().from(totpSecrets).where(secretOf(userId, true));
  if (!row) return false;
  const step = stepOfCode(sealerOf(config).open(row, userId), code, clock.now());
  if (step === null) return false;
  const spent = await queries
    .update(totpSecrets)
    .set({ lastStep: step, lastUsedAt: clock.date() })
    .where(and(secretOf(userId, true), lt(totpSecrets.lastStep, step)))
    .returning({ userId: totpSecrets.userId });
  return spent.length > 0;
}

/** SQL: the secret in use, or the one being set up. */
export function secretOf(userId: string, isConfirmed: boolean) {
  return and(eq(totpSecrets.userId, userId), eq(totpSecrets.isConfirmed, isConfirmed));
}

const codesMade = 10;
/** 16 characters of 32 possible ones are 80 bits, so a slow hash would not add security. */
const codeLength = 16;
/** Crockford's alphabet, without similar-looking letters. */
const letters = "0123456789abcdefghjkmnpqrstvwxyz";

/** Replaces a person's recovery codes; they are shown only in this answer. */
export async function replaceRecoveryCodes(queries: Queries, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codesMade }, newCode);
  await queries.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await queries
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, codeHash: credentialHash(plain(code)) })));
  return codes;
}

/** Uses up a code; returns false if it is not one of this person's, or was already used. */
async function spendRecoveryCode(queries: Queries, userId: string, code: string): Promise<boolean> {
  const spent = await queries
    .update(recoveryCodes)
    .set({ usedAt: clock.date() })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, credentialHash(plain(code))),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ userId: recoveryCodes.userId });
  return spent.length > 0;
}

/** Formatted as four groups of four. */
function newCode(): string {
  const text = [...randomBytes(codeLength)].map((byte) => letters.charAt(byte % letters.length)).join("");
  return text.match(/.{4}/g)?.join("-") ?? text;
}

/** Normalises a typed code before hashing. */
function plain(code: string): string {
  return code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
}
