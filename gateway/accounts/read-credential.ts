import { eq, or } from "drizzle-orm";
import { type Scope, scopes } from "#contract/account.ts";
import { ownerPermissions, permissionsOfScopes } from "#contract/permissions.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Database } from "#gateway/database/database.ts";
import { apiKeys, sessions, users } from "#gateway/database/schema.ts";

export type RefusalCode = "invalid_api_key" | "expired_api_key" | "revoked_api_key";

export interface Known {
  actor: Actor;
  validUntil: number;
  /** A time of `performance.now()`, which never decreases. */
  readAt: number;
}

export interface Refused {
  refusal: RefusalCode;
  /** The id of the key or session, if there is one. */
  id: string | null;
}

/** What the database has for a credential. */
export type CredentialEntry = Known | Refused;

/** The key with this hash, its current or its previous secret. */
export async function readKey(database: Database, hash: string): Promise<CredentialEntry> {
  const readAt = performance.now();
  const [row] = await database.queries
    .select()
    .from(apiKeys)
    .where(or(eq(apiKeys.secretHash, hash), eq(apiKeys.previousSecretHash, hash)))
    .limit(1);
  if (!row) return { refusal: "invalid_api_key", id: null };
  if (row.revokedAt) return { refusal: "revoked_api_key", id: row.id };
  const limits = [row.expiresAt, row.secretHash === hash ? null : row.previousExpiresAt];
  const validUntil = Math.min(...limits.map((limit) => limit?.getTime() ?? Number.POSITIVE_INFINITY));
  if (validUntil <= clock.now()) return { refusal: "expired_api_key", id: row.id };
  const actor: Actor = {
    accountId: row.accountId,
    kind: "key",
    id: row.id,
    name: row.name,
    secretHash: hash,
    sessionId: null,
    scopes: row.scopes as Scope[],
    permissions: permissionsOfScopes(row.scopes as Scope[]),
    models: row.models,
    regions: row.regions,
    requestsPerMinute: row.requestsPerMinute,
    maxConcurrency: row.maxConcurrency,
    monthlyBudget: row.monthlyBudget,
    expiresAt: Number.isFinite(validUntil) ? new Date(validUntil) : null,
  };
  return { actor, validUntil, readAt };
}

/** The session with this hash; a session of a key has what the key has now. */
export async function readSession(database: Database, hash: string): Promise<CredentialEntry> {
  const readAt = performance.now();
  const [row] = await database.queries
    .select({ session: sessions, user: users })
    .from(sessions)
    .leftJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, hash))
    .limit(1);
  if (!row) return { refusal: "invalid_api_key", id: null };
  const { session, user } = row;
  if (session.revokedAt) return { refusal: "revoked_api_key", id: session.id };
  const validUntil = session.expiresAt.getTime();
  if (validUntil <= clock.now()) return { refusal: "expired_api_key", id: session.id };
  if (session.keyHash) {
    const key = await readKey(database, session.keyHash);
    if (!("actor" in key)) return key;
    const actor = { ...key.actor, secretHash: hash, sessionId: session.id };
    return { actor, validUntil: Math.min(key.validUntil, validUntil), readAt };
  }
  if (!user) return { refusal: "invalid_api_key", id: session.id };
  const actor: Actor = {
    accountId: user.accountId,
    kind: "user",
    id: user.id,
    name: user.name,
    secretHash: hash,
    sessionId: session.id,
    scopes,
    permissions: ownerPermissions,
    models: null,
    regions: null,
    requestsPerMinute: null,
    maxConcurrency: null,
    monthlyBudget: null,
    expiresAt: null,
  };
  return { actor, validUntil, readAt };
}
