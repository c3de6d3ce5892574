import type { Proof, SecondFactorWay } from "#contract/accounts/second-factor.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { users } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAuditOfPerson } from "../audit.ts";
import { proveOwnPassword } from "../sessions/sign-in.ts";
import { type Attempt, countAttempt } from "../sessions/sign-in-attempts.ts";
import { isFreshSession } from "./read.ts";
import { spendRecoveryCode } from "./recovery-codes.ts";
import { spendTotpCode } from "./spend-totp.ts";

const totpForm = /^\d{6}$/;

export type Person = typeof users.$inferSelect;

/** The signed-in person. */
export async function personOf({ database }: Pick<Context, "database">, { id }: Actor): Promise<Person> {
  const [user] = await database.queries.select().from(users).where(eq(users.id, id));
  if (!user) throw new ApiError("invalid_api_key", "This user no longer exists.");
  return user;
}

/**
 * Somebody at an unlocked screen must not change how its owner signs in: asks for the password or a code, unless a fresh
 * session is enough and this is one. Throws `confirmation_required`, `invalid_credentials`, `invalid_second_factor`.
 */
export async function assertProof(
  context: Context,
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
    "Confirm that it is you: give your password or a code. Without either, sign in again first.",
    { param: "proof" },
  );
}

/** Counts a code that somebody typed, before it is checked. Throws `rate_limit_exceeded`. */
export function countCode(context: Context, email: string, ip: string | null): Promise<Attempt> {
  return countAttempt(context, email, ip, "code");
}

/** Uses up a code of the app or a recovery code; the answer is which it was. Throws `invalid_second_factor`. */
export async function spendCode(
  context: Pick<Context, "config">,
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
  throw new ApiError("invalid_second_factor", "This code is wrong, or was used already.", { param: "code" });
}
