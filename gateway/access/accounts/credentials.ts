import type { Logger } from "pino";
import type { Permission } from "#contract/accounts/permissions.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { setBounded } from "#gateway/platform/core/remembered.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, sessions } from "#gateway/platform/database/schema.ts";
import type { Limit, Limiter } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { type CredentialKind, credentialHash, credentialKind } from "./keys/format.ts";
import type { NetworkRule } from "./networks/rule.ts";
import {
  type CredentialEntry,
  type Known,
  providerRequired,
  type RefusalCode,
  type Refused,
  readKey,
  readSession,
  readShortKey,
} from "./read-credential.ts";

/**
 * Triggers on `api_keys`, `sessions`, `members` and `users` notify this channel with the id of the key,
 * session or user; an empty payload means that everything is read again.
 */
export const credentialChannel = "credential_changed";

/**
 * How long a credential is cached. Changes are notified; this limits the effect of a lost notification, which
 * can happen only after the connection was silent for a second.
 */
const freshMs = { listening: 5_000, deaf: 1_000 } as const;

const maxKnown = 10_000;

/** Rejected credentials are cached until a change is notified; beyond this number the oldest is dropped. */
const maxRefused = 20_000;

/** How often the credentials of open streams are checked. */
const watchEveryMs = 1_000;

const lastUsedEveryMs = 60_000;

const readers = { key: readKey, short_key: readShortKey, session: readSession } as const;

const invalidCredentials: Limit = { name: "invalid credentials", count: 600, periodMs: 60_000 };

export interface Credentials {
  /**
   * The actor of the bearer sent from `address`, in the account that the request names; `null`: in any.
   * Throws the matching 401, `rate_limit_exceeded` if the address has sent too many invalid credentials,
   * `account_required`, `account_not_found`, or `network_not_allowed`. A credential that was rejected once needs no further query; a
   * known one is found synchronously, without a promise.
   */
  find(bearer: string, address: string, accountId?: string | null): Actor | Promise<Actor>;
  /**
   * Whether the actor's credential is still valid and has this permission; `null`: any permission. If its account
   * was suspended since, or its address may no longer use it, it may still run what it has begun
   * (`operations:run`).
   */
  isStillAllowed(actor: Actor, permission: Permission | null): Promise<boolean>;
  /**
   * Calls `ended` once when the credential is no longer valid: at once in the process that revoked it, within
   * a second in others. Call the returned function to stop watching.
   */
  watch(actor: Actor, permission: Permission | null, ended: () => void): () => void;
  /**
   * Drops a key, a session, or all credentials of a person or an account from the cache, so that they are read
   * again. Call it after the change was committed, so that it applies in this process before it is answered; the
   * other processes are notified.
   */
  forget(id: string): void;
  close(): void;
}

interface Watcher {
  actor: Actor;
  permission: Permission | null;
  ended: () => void;
}

/** Makes every process read all credentials again once the caller's transaction commits. */
export async function forgetAllCredentials(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_notify(${credentialChannel}, '')`);
}

/** Finds actors by their bearer and caches them. */
export async function createCredentials(sources: {
  database: Database;
  limiter: Limiter;
  log: Logger;
  networks: NetworkRule;
}): Promise<Credentials> {
  const { database, limiter, networks } = sources;
  const known = new Map<string, Known>();
  const refused = new Map<string, Refused>();
  const reading = new Map<string, Promise<CredentialEntry>>();
  const watchers = new Set<Watcher>();
  const lastUsed = new Map<string, number>();

  const isFresh = ({ readAt }: Known): boolean =>
    performance.now() - readAt <= (database.isListening() ? freshMs.listening : freshMs.deaf);

  const read = (hash: string, kind: CredentialKind): Promise<CredentialEntry> => {
    const underWay = reading.get(hash);
    if (underWay) return underWay;
    const started = readers[kind](database, hash)
      .then((entry) => {
        // If the entry was dropped meanwhile, the row may have been read before the change, so it is not
        // cached.
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
    if ("actors" in entry) setBounded(known, hash, entry, maxKnown);
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

  /**
   * Reads the entry of a hash that is not fresh in the cache. A hash that was never read counts as invalid
   * until it is found.
   */
  const entryOf = async (hash: string, kind: CredentialKind, address: string): Promise<CredentialEntry> => {
    if (known.has(hash)) return read(hash, kind);
    const underWay = reading.get(hash);
    if (underWay) return underWay;
    await countInvalid(address);
    const entry = refused.get(hash) ?? (await read(hash, kind));
    if ("actors" in entry) await limiter.giveBack(addressBlock(address), invalidCredentials);
    return entry;
  };

  const isStillAllowed = async (actor: Actor, permission: Permission | null): Promise<boolean> => {
    const hash = actor.secretHash;
    if (hash === undefined || refused.has(hash)) return false;
    const found = known.get(hash);
    const entry = found && isFresh(found) ? found : await read(hash, kindOf(actor));
    if (!("actors" in entry) || entry.validUntil <= clock.now()) return false;
    if (permission === null) return true;
    const now = entry.actors.find(({ accountId }) => accountId === actor.accountId);
    if (!now) return false;
    if (permission === "operations:run" && typeof now.suspendedFor === "string") return true;
    if (!now.permissions.has(permission)) return false;
    return permission === "operations:run" || networks.admits(now, actor.address ?? "");
  };

  /** Closes streams whose credential is no longer valid; none while the database is unavailable. */
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
    for (const [hash, { actors }] of known) if (actors.some((actor) => isOf(actor, id))) known.delete(hash);
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

  const stopListening = await database.listen(credentialChannel, (id) =>
    id === "" ? forgetAll() : forget(id),
  );
  const timer = setInterval(() => check(watchers), watchEveryMs);
  timer.unref();

  const refuseMalformed = async (address: string): Promise<never> => {
    await countInvalid(address);
    throw new ApiError("invalid_api_key", "This account key is malformed. Check that you copied all of it.");
  };

  return {
    find(bearer, address, accountId) {
      const actorIn = (entry: CredentialEntry): Actor => {
        if (!("actors" in entry)) throw refusalOf(entry.refusal);
        if (entry.validUntil <= clock.now()) throw refusalOf("expired_api_key");
        const actor = inAccount(entry, accountId, (one) => networks.admits(one, address));
        if (!networks.admits(actor, address)) throw networks.refuse(actor, address);
        touch(sources, lastUsed, actor, address);
        return { ...actor, address };
      };
      const hash = credentialHash(bearer);
      const found = known.get(hash);
      if (found && isFresh(found)) return actorIn(found);
      const kind = credentialKind(bearer);
      return kind ? entryOf(hash, kind, address).then(actorIn) : refuseMalformed(address);
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
  return [
    actor.id,
    actor.sessionId,
    actor.userId,
    actor.accountId,
    actor.shortKey?.id,
    actor.actsAs?.id,
  ].includes(id);
}

function kindOf({ sessionId, shortKey }: Actor): CredentialKind {
  if (sessionId !== null) return "session";
  return shortKey ? "short_key" : "key";
}

/**
 * The actor in the account that the request names. If it names none, the person must have only one account;
 * with `null` any of their accounts will do, if possible one that they may use from where they are.
 */
function inAccount(
  { actors, withheld = [] }: Known,
  accountId: string | null | undefined,
  isAdmitted: (actor: Actor) => boolean,
): Actor {
  const [first] = actors;
  const isOnly = actors.length === 1 && withheld.length === 0;
  if (accountId === null) {
    const open = actors.filter(isAdmitted);
    return open.find(({ suspendedFor }) => !suspendedFor) ?? open[0] ?? first;
  }
  if (accountId === undefined && isOnly) return first;
  if (accountId === undefined)
    throw new ApiError(
      "account_required",
      "You are a member of several accounts. Name the one that you mean in the header `X-Svc-Account`.",
    );
  const named = actors.find((actor) => actor.accountId === accountId);
  if (!named && accountId !== undefined && withheld.includes(accountId)) throw providerRequired();
  if (!named)
    throw new ApiError(
      "account_not_found",
      "The header `X-Svc-Account` names an account that this credential does not belong to. Leave the header out, or name one of your accounts.",
    );
  return named;
}

function refusalOf(code: RefusalCode): ApiError {
  const messages = {
    invalid_api_key: "This account key does not exist. Check that it belongs to this gateway.",
    expired_api_key: "This credential has expired. Sign in again or use another key.",
    revoked_api_key: "This credential was revoked. Sign in again or use another key.",
  };
  return new ApiError(code, messages[code]);
}

/** Records when a key or session was last used, at most once a minute, outside the request. */
function touch(
  { database, log }: { database: Database; log: Logger },
  lastUsed: Map<string, number>,
  { kind, id, sessionId }: Actor,
  address: string,
): void {
  const now = clock.now();
  const used = sessionId ?? id;
  if (now - (lastUsed.get(used) ?? 0) < lastUsedEveryMs) return;
  setBounded(lastUsed, used, now, maxKnown);
  const at = new Date(now);
  const { queries } = database;
  const write = async () => {
    if (kind === "key") await queries.update(apiKeys).set({ lastUsedAt: at }).where(eq(apiKeys.id, id));
    if (sessionId !== null)
      await queries
        .update(sessions)
        .set({ lastSeenAt: at, lastSeenIp: address })
        .where(eq(sessions.id, sessionId));
  };
  write().catch((error) => log.warn({ err: error }, "last use of a credential could not be saved"));
}

/**
 * How long origins are cached: changes are notified; this limits the effect of a lost notification and of an
 * expiry.
 */
const originsFreshMs = 30_000;

/** How often reading is retried while the database is unavailable. */
const readAgainMs = 1_000;

/** At most this many origins are read. Preflights from further ones are refused. */
const maxOrigins = 100_000;

/** The allowed origins of all keys, cached so that a preflight, which carries no key, costs no query. */
export interface KnownOrigins {
  /** Whether an active key allows this origin. */
  has(origin: string): Promise<boolean>;
  /** Call after a key's origins were changed, so that they apply at once in this process. */
  forget(): void;
  close(): void;
}

/** Reads the origins at the first request of a page, and again after a key has changed. */
export async function openKnownOrigins(database: Database, log: Logger): Promise<KnownOrigins> {
  let known: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  /** Counts notifications: origins read before the last one are read again. */
  let changes = 0;
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    const startedAt = performance.now();
    const then = changes;
    const { rows } = await database.queries.execute<{ origin: string }>(sql`
      select distinct unnest(allowed_origins) as origin from api_keys
      where allowed_origins is not null and revoked_at is null and (expires_at is null or expires_at > now())
      limit ${maxOrigins}`);
    known = new Set(rows.map(({ origin }) => origin));
    readAt = then === changes ? startedAt : Number.NEGATIVE_INFINITY;
  };
  const refresh = (): Promise<void> => {
    reading ??= read()
      .catch((error: unknown) => {
        // Until the next try the previously read origins stay in use.
        readAt = performance.now() - originsFreshMs + readAgainMs;
        log.warn({ err: error }, "the origins of keys could not be read");
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const isStale = () => performance.now() - readAt > originsFreshMs;
  const forget = (): void => {
    changes += 1;
    readAt = Number.NEGATIVE_INFINITY;
  };
  const stopListening = await database.listen(credentialChannel, forget);

  return {
    async has(origin) {
      if (isStale()) await refresh();
      // A key may have changed while the origins were read.
      if (isStale()) await refresh();
      return known.has(origin);
    },
    forget,
    close: () => void stopListening(),
  };
}
