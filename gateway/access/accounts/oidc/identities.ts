import type { Identity } from "#contract/accounts/oidc.ts";
import type { Deleted } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq } from "#gateway/platform/database/drizzle.ts";
import { identities, users } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAuditOfPerson } from "../audit.ts";

/** Who a person is at identity providers. */
export async function listIdentities(queries: Queries, userId: string): Promise<Identity[]> {
  const rows = await queries
    .select()
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.id));
  return rows.map(({ id, issuer, email, createdAt, lastSignedInAt }) => ({
    id,
    object: "identity",
    issuer,
    email,
    linked_at: createdAt.toISOString(),
    last_signed_in_at: lastSignedInAt?.toISOString() ?? null,
  }));
}

/** Throws `identity_not_found`, `only_way_to_sign_in`. */
export async function unlinkIdentity({ database }: Context, caller: Caller, id: string): Promise<Deleted> {
  const { actor, ip, requestId } = caller;
  await database.transaction(async (queries) => {
    const [user] = await queries.select().from(users).where(eq(users.id, actor.id)).for("update");
    const own = await listIdentities(queries, actor.id);
    const found = own.find((identity) => identity.id === id);
    if (!found) throw new ApiError("identity_not_found", "There is no such sign-in of yours.");
    if (own.length === 1 && !user?.passwordHash)
      throw new ApiError(
        "only_way_to_sign_in",
        "You could not sign in any more without it. Set a password first: a colleague or the operator can create a reset link.",
      );
    await queries.delete(identities).where(and(eq(identities.id, id), eq(identities.userId, actor.id)));
    await recordAuditOfPerson(queries, actor.id, {
      actor,
      action: "identity.unlinked",
      targetId: id,
      detail: { issuer: found.issuer, email: found.email },
      ip,
      requestId,
    });
  });
  return { id, object: "identity", deleted: true };
}
