import type {
  PasswordResetAccept,
  PasswordResetDone,
  PasswordResetPreview,
  ResetState,
} from "#contract/accounts/passwords.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { passwordResets, users } from "#gateway/platform/database/schema.ts";
import { recordAuditOfPerson } from "../audit.ts";
import { countLinkTry, idInToken, isTokenOf } from "../link-token.ts";
import { endSessionsOf } from "../sessions/end.ts";
import type { Origin } from "../sessions/open.ts";
import { expireResets } from "./create-reset.ts";
import { queuedHash } from "./hash-queue.ts";
import { assertGoodPassword } from "./quality.ts";

/** Used ones stay so long, so that they can explain themselves. */
const keptAfterSeconds = 90 * 86_400;

/** What the holder of a link may know of it. Throws `reset_not_found`. */
export async function previewReset(
  { database, limiter }: Context,
  token: string,
  ip: string | null,
): Promise<PasswordResetPreview> {
  await countLinkTry(limiter, ip);
  const { reset, user } = await findReset(database.queries, token);
  return {
    object: "password_reset_preview",
    email: user.email,
    name: user.name,
    state: stateOf(reset),
    expires_at: reset.expiresAt.toISOString(),
  };
}

/**
 * Sets a new password and ends all sessions of the person; a second factor stays. Throws `reset_not_found`, `reset_used`,
 * `reset_expired`, and as `assertGoodPassword`.
 */
export async function acceptReset(
  context: Context,
  { token, password }: PasswordResetAccept,
  { ip, requestId }: Origin,
): Promise<PasswordResetDone> {
  const { database, limiter, credentials } = context;
  await countLinkTry(limiter, ip);
  const found = await findReset(database.queries, token);
  assertOpen(found.reset);
  const { id: userId, email, name } = found.user;
  await assertGoodPassword(password, found.user);
  const passwordHash = await queuedHash(password, ip);
  const ended = await database.transaction(async (queries) => {
    const { reset } = await findReset(queries, token, true);
    assertOpen(reset);
    await queries.update(users).set({ passwordHash }).where(eq(users.id, userId));
    await queries.update(passwordResets).set({ usedAt: clock.date() }).where(eq(passwordResets.id, reset.id));
    await expireResets(queries, userId);
    const count = await endSessionsOf(queries, userId);
    await recordAuditOfPerson(queries, userId, {
      actor: { kind: "user", id: userId, userId, name },
      action: "password.reset",
      targetId: userId,
      detail: { sessions_ended: count },
      ip,
      requestId,
    });
    return count;
  });
  credentials.forget(userId);
  return { object: "password", email, sessions_ended: ended };
}

type ResetRow = typeof passwordResets.$inferSelect;

async function findReset(queries: Queries, token: string, locked = false) {
  const id = idInToken("passwordReset", token);
  const query = queries
    .select({ reset: passwordResets, user: users })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(eq(passwordResets.id, id ?? ""));
  const [found] = await (locked ? query.for("update", { of: passwordResets }) : query);
  if (!found || !isTokenOf(token, found.reset.tokenHash))
    throw new ApiError(
      "reset_not_found",
      "This link is not valid. Copy the whole link, or ask for a new one.",
    );
  return found;
}

function stateOf({ usedAt, expiresAt }: ResetRow): ResetState {
  if (usedAt) return "used";
  return expiresAt.getTime() <= clock.now() ? "expired" : "open";
}

function assertOpen(reset: ResetRow): void {
  const state = stateOf(reset);
  if (state === "used")
    throw new ApiError(
      "reset_used",
      "This link was used already. Sign in with the new password, or ask for a new link.",
    );
  if (state === "expired")
    throw new ApiError(
      "reset_expired",
      "This link has expired, or a newer one was made. Ask for a new link.",
    );
}

export const passwordResetSweep = rowSweep({
  kind: "password_resets",
  table: "password_resets",
  dueAt: "expires_at",
  afterSeconds: keptAfterSeconds,
});
