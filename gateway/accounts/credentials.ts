import { eq } from "drizzle-orm";
import type { Logger } from "pino";
import type { Permission } from "#contract/permissions.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Database } from "#gateway/database/database.ts";
import { apiKeys } from "#gateway/database/schema.ts";
import type { Limit, Limiter } from "#gateway/limits/limiter.ts";
import { addressBlock } from "#gateway/network/address-block.ts";
import { credentialHash, credentialKind } from "./keys/format.ts";
import {
  type CredentialEntry,
  type Known,
  type RefusalCode,
  type Refused,
  readKey,
  readSession,
} from "./read-credential.ts";

/** Triggers on `api_keys` and `sessions` notify this channel with the id of the changed row. */
const channel = "credential_changed";
/** How long a credential is cached. Changes are notified; this bounds the effect of a lost notification. */
const freshMs = { listening: 5_000, deaf: 1_000 } as const;
const maxKnown = 10_000;
/** Rejected credentials are cached until a change is notified; the oldest is dropped when there are too many. */
const maxRefused = 20_000;
/** Streams are checked this often. */
const watchEveryMs = 1_000;
const lastUsedEveryMs = 60_000;

/** Invalid credentials from one address. */
const invalidCredentials: Limit = { name: "invalid credentials", count: 600, periodMs: 60_000 };

export interface Credentials {
  /**
   * The actor of the bearer sent from `address`. Throws the matching 401, or `rate_limit_exceeded` when the address has
   * sent too many invalid credentials. A credential that was rejected once needs no query again.
   */
  find(bearer: string, address: string): Promise<Actor>;
  /** Whether the actor's credential is still valid and has this permission. */
  isStillAllowed(actor: Actor, permission: Permission): Promise<boolean>;
  /**
   * Calls `ended` once when the credential is no longer valid: at once in the process that revoked it, within a second
   * in others. Call the returned function to stop watching.
   */
  watch(actor: Actor, permission: Permission, ended: () => void): () => void;
  /** Drops a key or session from the cache, so that it is read again. Other processes are notified of the change. */
  forget(id: string): void;
  close(): void;
}

interface Watcher {
  actor: Actor;
  permission: Permission;
  ended: () => void;
}

/** Finds actors by their bearer and caches them. */
export async function createCredentials(sources: {
  database: Database;
  limiter: Limiter;
  log: Logger;
}): Promise<Credentials> {
  const { database, limiter } = sources;
  const known = new Map<string, Known>();
  const refused = new Map<string, Refused>();
  const reading = new Map<string, Promise<CredentialEntry>>();
  const watchers = new Set<Watcher>();
  const lastUsed = new Map<string, number>();

  const isFresh = ({ readAt }: Known): boolean =>
    performance.now() - readAt <= (database.isListening() ? freshMs.listening : freshMs.deaf);

  const read = (hash: string, kind: "key" | "session"): Promise<CredentialEntry> => {
    const underWay = reading.get(hash);
    if (underWay) return underWay;
    const started = (kind === "key" ? readKey(database, hash) : readSession(database, hash))
      .then((entry) => {
        // It was dropped meanwhile: the row may have been read before the change.
        if (reading.get(hash) === started) remember(hash, entry);
        return entry;
      })
      .finally(() => {
        if (reading.get(hash) === started) reading.delete(hash);
      });
    reading.set(hash, started);
    return started;
  };

  const remember = (hash: string, entry: CredentialEntry): void => {
    known.delete(hash);
    if ("actor" in entry) setBounded(known, hash, entry, maxKnown);
    else setBounded(refused, hash, entry, maxRefused);
  };

  const countInvalid = async (address: string): Promise<void> => {
    const taken = await limiter.take(addressBlock(address), invalidCredentials);
    if (taken.allowed) return;
    throw new ApiError(
      "rate_limit_exceeded",
      "Too many requests with invalid credentials came from this address. Check the key and try again later.",
      { retryAfterSeconds: taken.retryAfterMs / 1000 },
    );
  };

  /** The cache entry of a hash. A hash that must be read first counts as invalid until it is found. */
  const entryOf = async (
    hash: string,
    kind: "key" | "session",
    address: string,
  ): Promise<CredentialEntry> => {
    const found = known.get(hash);
    if (found) return isFresh(found) ? found : read(hash, kind);
    const underWay = reading.get(hash);
    if (underWay) return underWay;
    await countInvalid(address);
    const entry = refused.get(hash) ?? (await read(hash, kind));
    if ("actor" in entry) await limiter.giveBack(addressBlock(address), invalidCredentials);
    return entry;
  };

  const isStillAllowed = async (actor: Actor, permission: Permission): Promise<boolean> => {
    const hash = actor.secretHash;
    if (hash === undefined || refused.has(hash)) return false;
    const found = known.get(hash);
    const entry =
      found && isFresh(found) ? found : await read(hash, actor.sessionId === null ? "key" : "session");
    return "actor" in entry && entry.validUntil > clock.now() && entry.actor.permissions.has(permission);
  };

  /** Closes streams whose credential is no longer valid. While the database is unavailable none are closed. */
  const check = (watched: Iterable<Watcher>): void => {
    for (const watcher of [...watched])
      isStillAllowed(watcher.actor, watcher.permission).then(
        (allowed) => {
          if (!allowed && watchers.delete(watcher)) watcher.ended();
        },
        () => {},
      );
  };

  const forget = (id: string): void => {
    for (const [hash, { actor }] of known) if (isOf(actor, id)) known.delete(hash);
    for (const [hash, entry] of refused) if (entry.id === id) refused.delete(hash);
    reading.clear();
    check([...watchers].filter(({ actor }) => isOf(actor, id)));
  };

  const forgetAll = (): void => {
    known.clear();
    refused.clear();
    reading.clear();
    check(watchers);
  };

  const stopListening = await database.listen(channel, (id) => (id === "" ? forgetAll() : forget(id)));
  const timer = setInterval(() => check(watchers), watchEveryMs);
  timer.unref();

  return {
    async find(bearer, address) {
      const kind = credentialKind(bearer);
      if (!kind) {
        await countInvalid(address);
        throw new ApiError(
          "invalid_api_key",
          "This account key is malformed. Check that you copied all of it.",
        );
      }
      const entry = await entryOf(credentialHash(bearer), kind, address);
      if (!("actor" in entry)) throw refusalOf(entry.refusal);
      if (entry.validUntil <= clock.now()) throw refusalOf("expired_api_key");
      if (entry.actor.kind === "key") touch(sources, lastUsed, entry.actor.id);
      return entry.actor;
    },
    isStillAllowed,
    watch(actor, permission, ended) {
      const watcher = { actor, permission, ended };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    forget,
    close() {
      clearInterval(timer);
      stopListening();
      watchers.clear();
    },
  };
}

function isOf(actor: Actor, id: string): boolean {
  return actor.id === id || actor.sessionId === id;
}

/** Adds an entry as the newest and drops the oldest when there are more than `max`. */
function setBounded<Value>(entries: Map<string, Value>, key: string, value: Value, max: number): void {
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > max && oldest !== undefined) entries.delete(oldest);
}

function refusalOf(code: RefusalCode): ApiError {
  const messages = {
    invalid_api_key: "This account key does not exist. Check that it belongs to this gateway.",
    expired_api_key: "This credential has expired. Sign in again or use another key.",
    revoked_api_key: "This credential was revoked. Sign in again or use another key.",
  };
  return new ApiError(code, messages[code]);
}

/** Records when a key was last used, at most once a minute, outside the request. */
function touch(
  { database, log }: { database: Database; log: Logger },
  lastUsed: Map<string, number>,
  keyId: string,
): void {
  const now = clock.now();
  if (now - (lastUsed.get(keyId) ?? 0) < lastUsedEveryMs) return;
  lastUsed.set(keyId, now);
  database.queries
    .update(apiKeys)
    .set({ lastUsedAt: new Date(now) })
    .where(eq(apiKeys.id, keyId))
    .then(undefined, (error) => log.warn({ err: error }, "last use of a key could not be saved"));
}
