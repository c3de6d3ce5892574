import type { KeyKind } from "#contract/accounts/key-constants.ts";
import type { ApiKeyCreate } from "#contract/accounts/keys.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, isNull, type SQL } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, members } from "#gateway/platform/database/schema.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import type { KeyRow } from "./view.ts";

/** The owner of a new key: a member, or for a service key the person responsible. */
export type KeyOwner = Pick<KeyRow, "userId" | "answeredBy" | "createdBy">;

/**
 * The requested kind of key, otherwise the caller's usual kind. Throws if the caller may not create service
 * keys.
 */
export async function ownerOfNewKey(
  queries: Queries,
  actor: Actor,
  { kind = usualKind(actor) }: Pick<ApiKeyCreate, "kind">,
): Promise<KeyOwner> {
  const createdBy = actor.kind === "user" ? actor.id : null;
  if (kind === "personal") {
    if (actor.userId === null)
      throw new ApiError(
        "user_session_required",
        "A service key belongs to the account and can create service keys only.",
        {
          param: "kind",
        },
      );
    return { userId: actor.userId, answeredBy: null, createdBy };
  }
  await assertPermitted(queries, actor, "keys:manage");
  return { userId: null, answeredBy: actor.answeredBy, createdBy };
}

/** A key made on the command line is a service key; the account's first owner is responsible for it. */
export async function firstOwner(queries: Queries, accountId: string): Promise<KeyOwner> {
  const [owner] = await queries
    .select({ id: members.userId })
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.role, "owner")))
    .orderBy(asc(members.createdAt), asc(members.userId))
    .limit(1);
  return { userId: null, answeredBy: owner?.id ?? null, createdBy: null };
}

function usualKind({ kind, userId, permissions }: Actor): KeyKind {
  if (kind === "key") return userId === null ? "service" : "personal";
  return permissions.has("keys:manage") ? "service" : "personal";
}

/** SQL: the keys that the caller is allowed to see: all of the account, or only their own. */
export function visibleKeys({ accountId, permissions, userId }: Actor): SQL | undefined {
  const ofAccount = eq(apiKeys.accountId, accountId);
  return permissions.has("keys:manage") ? ofAccount : and(ofAccount, eq(apiKeys.userId, userId ?? ""));
}

/**
 * Locks the key, if it is active and the caller may change it: their own, or any with `keys:manage`. A
 * connection's key is found only with `boundTo`.
 */
export async function lockKey(
  queries: Queries,
  actor: Actor,
  id: string,
  boundTo: "mcp" | null = null,
): Promise<KeyRow> {
  const [key] = await queries
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.id, id),
        eq(apiKeys.accountId, actor.accountId),
        isNull(apiKeys.revokedAt),
        boundTo === null ? isNull(apiKeys.boundTo) : eq(apiKeys.boundTo, boundTo),
      ),
    )
    .for("update");
  if (!key && boundTo !== null)
    throw new ApiError("connection_not_found", "There is no such connection, or it has ended.");
  if (!key) throw new ApiError("key_not_found", "There is no such key, or it was revoked.");
  if (key.userId === null || key.userId !== actor.userId)
    await assertPermitted(queries, actor, "keys:manage");
  return key;
}
