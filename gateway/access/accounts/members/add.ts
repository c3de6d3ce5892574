import type { Role } from "#contract/accounts/roles.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { members, users } from "#gateway/platform/database/schema.ts";
import { recordCause } from "#gateway/platform/outbox/record-cause.ts";
import { type AuditEntry, recordAudit } from "../audit.ts";
import { assertNotClosing } from "../deletion/deletion.ts";
import { expireResets } from "../passwords/resets.ts";

interface NewMember {
  accountId: string;
  userId: string;
  role: Role;
}

/**
 * Makes a user a member in the caller's transaction; returns false if they already are one. Throws
 * `account_closing` if the account's deletion is pending.
 */
export async function addMember(
  queries: Queries,
  { accountId, userId, role }: NewMember,
  entry: Omit<AuditEntry, "accountId" | "action" | "targetId">,
): Promise<boolean> {
  await assertNotClosing(queries, accountId);
  const [added] = await queries
    .insert(members)
    .values({ accountId, userId, role })
    .onConflictDoNothing()
    .returning({ userId: members.userId });
  if (!added) return false;
  // An admin of another account of this user may have created a password link for them. With that link the
  // admin must not get into this account.
  await expireResets(queries, userId);
  await recordAudit(queries, {
    accountId,
    ...entry,
    action: "member.joined",
    targetId: userId,
    detail: { ...entry.detail, role },
  });
  const [user] = await queries.select({ name: users.name }).from(users).where(eq(users.id, userId));
  await recordCause(queries, {
    cause: "member.joined",
    accountId,
    subjectId: userId,
    data: { name: user?.name ?? "", role },
  });
  return true;
}
