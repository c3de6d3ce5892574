import type { EmailChangePreview } from "#contract/accounts/email-change.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { emailChanges, users } from "#gateway/platform/database/schema.ts";
import { idInToken, isTokenOf } from "../link-token.ts";

/** Used links are kept this long, so that opening one explains what happened. */
const keptAfterSeconds = 30 * 86_400;

/**
 * Finds the e-mail change by the token in its link, with the user who requested it. Throws
 * `email_change_not_found`.
 */
export async function findEmailChange(queries: Queries, token: string, locked = false) {
  const query = queries
    .select({ change: emailChanges, user: users })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.userId))
    .where(eq(emailChanges.id, idInToken("emailChange", token) ?? ""));
  const [found] = await (locked ? query.for("update") : query);
  if (!found || !isTokenOf(token, found.change.tokenHash))
    throw new ApiError(
      "email_change_not_found",
      "This link is not valid. Copy the whole link, or start again.",
    );
  return found;
}

export function stateOf({
  usedAt,
  expiresAt,
}: Pick<typeof emailChanges.$inferSelect, "usedAt" | "expiresAt">): EmailChangePreview["state"] {
  if (usedAt) return "used";
  return expiresAt.getTime() <= clock.now() ? "expired" : "open";
}

export const emailChangeSweep = rowSweep({
  kind: "email_changes",
  table: "email_changes",
  dueAt: "expires_at",
  afterSeconds: keptAfterSeconds,
});
