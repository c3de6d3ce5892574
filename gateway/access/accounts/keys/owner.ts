import type { KeyKind } from "#contract/accounts/constants.ts";
import type { ApiKey, ApiKeyCreate, KeyQuery } from "#contract/accounts/keys.ts";
import { rolesWith } from "#contract/accounts/permissions.ts";
import type { List } from "#contract/list.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { usedThisMonth } from "#gateway/billing/usage/used-this-month.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  asc,
  eq,
  gt,
  isNotNull,
  isNull,
  not,
  or,
  type SQL,
} from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { apiKeys, members } from "#gateway/platform/database/schema.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { activeAttestations } from "../attestations/gates.ts";
import { isAnswered, type KeyRow, keyViews } from "./view.ts";

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
        { param: "kind" },
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
 * connection's or rule's key is found only with `boundTo`.
 */
export async function lockKey(
  queries: Queries,
  actor: Actor,
  id: string,
  boundTo: KeyRow["boundTo"] = null,
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
  if (!key && boundTo === "mcp")
    throw new ApiError("connection_not_found", "There is no such connection, or it has ended.");
  if (!key && boundTo === "exchange")
    throw new ApiError("key_rule_not_found", "There is no such rule, or it was deleted.");
  if (!key) throw new ApiError("key_not_found", "There is no such key, or it was revoked.");
  if (key.userId === null || key.userId !== actor.userId)
    await assertPermitted(queries, actor, "keys:manage");
  return key;
}

/**
 * Throws `invalid_parameter` for a user who cannot be responsible for a service key: one without the role, or
 * somebody other than the caller who has attested nothing.
 */
export async function assertMayAnswer(
  queries: Queries,
  { accountId, userId: callerId }: Actor,
  key: { userId: string | null },
  answeredBy: string,
): Promise<void> {
  if (key.userId !== null)
    throw invalidParameter(
      "answered_by",
      "A personal key uses its own member's attestations. Leave answered_by out.",
    );
  const [member] = await queries
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.userId, answeredBy)));
  const roles = rolesWith("attestations:answer");
  if (!member || !roles.includes(member.role))
    throw invalidParameter(
      "answered_by",
      `Only a member with the role ${roles.join(" or ")} can be responsible for service keys.`,
    );
  if (answeredBy === callerId) return;
  const attested = await activeAttestations(queries, { accountId, userId: null, answeredBy });
  if (attested.size === 0)
    throw invalidParameter(
      "answered_by",
      "This member has no attestations, so the key could not run gated operations. Ask them to attest first.",
    );
}

/**
 * The keys that the caller is allowed to see, including revoked ones, newest first. Keys of connections have
 * their own list, and so have rules.
 */
export function listKeys(context: AccessContext, actor: Actor, query: KeyQuery): Promise<List<ApiKey>> {
  const { queries } = context.database;
  const page = keyset("key", apiKeys.id, query, [
    visibleKeys(actor),
    isNull(apiKeys.boundTo),
    query.user_id === undefined ? undefined : eq(apiKeys.userId, query.user_id),
    query.kind === "personal" ? isNotNull(apiKeys.userId) : undefined,
    query.kind === "service" ? isNull(apiKeys.userId) : undefined,
    query.answered_by === "none" ? isUnanswered(queries) : undefined,
    foundBy(query.search, {
      idColumn: apiKeys.id,
      among: eq(apiKeys.accountId, actor.accountId),
      texts: [apiKeys.name, apiKeys.hint],
    }),
  ]);
  return readPage(queries, page, queries.select().from(apiKeys).$dynamic(), async (rows) =>
    keyViews(queries, rows, await usedThisMonth(context, rows)),
  );
}

/** Active service keys that cannot run gated operations, because nobody is responsible for them. */
function isUnanswered(queries: Queries) {
  return and(
    isNull(apiKeys.userId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, clock.date())),
    not(isAnswered(queries)),
  );
}
