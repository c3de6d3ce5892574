import { eq, or } from "drizzle-orm";
import { type Scope, scopes } from "#contract/account.ts";
import type { Context } from "#gateway/context.ts";
import { apiKeys, sessions, users } from "#gateway/database/schema.ts";
import type { Actor } from "#gateway/http/actor.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { credentialHash } from "./keys/format.ts";

/** A looked-up credential stands for this long, so a revocation takes effect within it. */
const cacheMs = 5_000;
const cacheEntries = 10_000;
const lastUsedEveryMs = 60_000;

interface Entry {
  actor: Actor | null;
  /** Why it is refused, and from when. */
  refusal: "invalid_api_key" | "expired_api_key" | "revoked_api_key" | null;
  validUntil: number;
  readAt: number;
}

type Lookup = (bearer: string, kind: "key" | "session") => Promise<Actor>;

/** Finds the actor behind a bearer, cached for `cacheMs`. Throws the 401 that fits. */
export function createCredentialLookup(context: Context): Lookup {
  const cache = new Map<string, Promise<Entry>>();
  const lastUsed = new Map<string, number>();
  return async (bearer, kind) => {
    const hash = credentialHash(bearer);
    let entry = await cache.get(hash);
    if (!entry || Date.now() - entry.readAt > cacheMs) {
      const reading = kind === "key" ? readKey(context, hash) : readSession(context, hash);
      if (cache.size > cacheEntries) cache.clear();
      cache.set(hash, reading);
      reading.catch(() => cache.delete(hash));
      entry = await reading;
    }
    if (entry.actor && entry.validUntil <= Date.now()) throw refusal("expired_api_key");
    if (!entry.actor) throw refusal(entry.refusal ?? "invalid_api_key");
    if (kind === "key") touch(context, lastUsed, entry.actor.id);
    return entry.actor;
  };
}

function refusal(code: "invalid_api_key" | "expired_api_key" | "revoked_api_key"): ApiError {
  const messages = {
    invalid_api_key: "This account key is not known here.",
    expired_api_key: "This credential has expired. Sign in again or use another key.",
    revoked_api_key: "This credential was revoked. Sign in again or use another key.",
  };
  return new ApiError(code, messages[code]);
}

async function readKey(context: Context, hash: string): Promise<Entry> {
  const readAt = Date.now();
  const [row] = await context.database.queries
    .select()
    .from(apiKeys)
    .where(or(eq(apiKeys.secretHash, hash), eq(apiKeys.previousSecretHash, hash)))
    .limit(1);
  if (!row) return { actor: null, refusal: "invalid_api_key", validUntil: 0, readAt };
  if (row.revokedAt) return { actor: null, refusal: "revoked_api_key", validUntil: 0, readAt };
  const limits = [row.expiresAt, row.secretHash === hash ? null : row.previousExpiresAt];
  const validUntil = Math.min(...limits.map((limit) => limit?.getTime() ?? Number.POSITIVE_INFINITY));
  const actor: Actor = {
    accountId: row.accountId,
    kind: "key",
    id: row.id,
    name: row.name,
    secretHash: hash,
    sessionId: null,
    scopes: row.scopes as Scope[],
    models: row.models,
    regions: row.regions,
    requestsPerMinute: row.requestsPerMinute,
    maxConcurrency: row.maxConcurrency,
    monthlyBudget: row.monthlyBudget,
    expiresAt: Number.isFinite(validUntil) ? new Date(validUntil) : null,
  };
  return { actor, refusal: null, validUntil, readAt };
}

async function readSession(context: Context, hash: string): Promise<Entry> {
  const readAt = Date.now();
  const [row] = await context.database.queries
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, hash))
    .limit(1);
  if (!row) return { actor: null, refusal: "invalid_api_key", validUntil: 0, readAt };
  if (row.session.revokedAt) return { actor: null, refusal: "revoked_api_key", validUntil: 0, readAt };
  const actor: Actor = {
    accountId: row.user.accountId,
    kind: "user",
    id: row.user.id,
    name: row.user.name,
    sessionId: row.session.id,
    scopes,
    models: null,
    regions: null,
    requestsPerMinute: null,
    maxConcurrency: null,
    monthlyBudget: null,
    expiresAt: null,
  };
  return { actor, refusal: null, validUntil: row.session.expiresAt.getTime(), readAt };
}

/** Notes when a key was used, at most once a minute, outside the request. */
function touch(context: Context, lastUsed: Map<string, number>, keyId: string): void {
  const now = Date.now();
  if (now - (lastUsed.get(keyId) ?? 0) < lastUsedEveryMs) return;
  lastUsed.set(keyId, now);
  context.database.queries
    .update(apiKeys)
    .set({ lastUsedAt: new Date(now) })
    .where(eq(apiKeys.id, keyId))
    .then(undefined, (error) => context.log.warn({ err: error }, "last use of a key was not noted"));
}
