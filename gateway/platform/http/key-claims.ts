import type { Logger } from "pino";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";

/** A claim that was not renewed for this long is lost: its process died, or is cut off from the database. */
export const claimMs = 60_000;
/** A claim is renewed when it reaches this age; most requests end earlier. */
const renewAfterMs = 15_000;

/** A request in progress with an `Idempotency-Key`. */
export interface Claim {
  accountId: string;
  /** Method and path pattern. */
  route: string;
  key: string;
  fingerprint: string;
  /** The request that holds the claim. */
  owner: string;
}

/** The claims of this process. All claims of long requests are renewed in one statement. */
export interface KeyClaims {
  /** `sentAt`: when the statement that made the claim was sent, by `performance.now()`. */
  add(claim: Claim, sentAt: number): void;
  remove(claim: Claim): void;
  /**
   * Call it before a write that must not happen twice. Throws `idempotency_in_progress` if another request
   * has taken the key over, because this process was cut off from the database.
   */
  assertHeld(claim: Claim): Promise<void>;
  /** Call if nothing was started: frees the key now, or when the database is available again. */
  free(claim: Claim): Promise<void>;
  /** Like `free`, but the statement is sent later, together with others. */
  freeLater(claim: Claim): void;
  /**
   * Whether the account's stored answers must be counted before this one is stored. Small answers do not need
   * a count each.
   */
  mustCount(accountId: string, sizeBytes: number): boolean;
  /** Reports the result of counting; it applies to small answers until the next count. */
  counted(accountId: string, hasRoom: boolean): void;
  /** Whether the last count found room for small answers. */
  hadRoom(accountId: string): boolean;
  close(): void;
}

/** An account's answers are counted again whenever this process has stored this many bytes of small ones. */
const uncountedBytes = 1_000_000;
/** Accounts whose answers this process stored recently. */
const maxAccountsKnown = 10_000;

const claimsGiven =
  "unnest($1::text[], $2::text[], $3::text[], $4::text[]) as held (account_id, route, key, owner)";
const isClaim = `k.account_id = held.account_id and k.route = held.route and k.key = held.key
  and k.owner = held.owner and k.response_status is null`;
const renewal = `update idempotency_keys k set claimed_until = now() + make_interval(secs => $5)
  from ${claimsGiven} where ${isClaim} returning k.owner`;
const freeing = `delete from idempotency_keys k using ${claimsGiven} where ${isClaim}`;

export function createKeyClaims(
  { pool }: Pick<Database, "pool">,
  log: Logger,
  { renewAfter = renewAfterMs } = {},
): KeyClaims {
  /** The last certain renewal of each claim, by `performance.now()`. */
  const held = new Map<Claim, number>();
  const toFree = new Set<Claim>();
  const stored = new Map<string, { uncounted: number; hadRoom: boolean }>();
  let isLooking = false;

  const renew = async (claims: Claim[]): Promise<Set<string>> => {
    const sentAt = performance.now();
    const { rows } = await pool.query<{ owner: string }>(renewal, [...columns(claims), claimMs / 1000]);
    const owners = new Set(rows.map((row) => row.owner));
    for (const claim of claims) if (held.has(claim) && owners.has(claim.owner)) held.set(claim, sentAt);
    return owners;
  };
  const free = async (claims: Claim[]): Promise<void> => {
    if (claims.length === 0) return;
    await pool.query(freeing, columns(claims));
    for (const claim of claims) toFree.delete(claim);
  };
  const isOld = (renewedAt: number) => performance.now() - renewedAt >= renewAfter;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await free([...toFree]);
      const old = [...held].filter(([, renewedAt]) => isOld(renewedAt)).map(([claim]) => claim);
      if (old.length > 0) await renew(old);
    } catch (error) {
      log.warn({ err: error }, "the claims of Idempotency-Keys could not be renewed, will retry");
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(look, renewAfter / 3).unref();
  return {
    add: (claim, sentAt) => void held.set(claim, sentAt),
    remove: (claim) => void held.delete(claim),
    async assertHeld(claim) {
      // A recently renewed claim cannot expire during a write that begins now.
      if (!isOld(held.get(claim) ?? Number.NEGATIVE_INFINITY)) return;
      if (!(await renew([claim])).has(claim.owner)) throw stillRunning();
    },
    async free(claim) {
      held.delete(claim);
      await free([claim]).catch((error) => {
        toFree.add(claim);
        log.warn({ err: error }, "an Idempotency-Key could not be freed, will retry");
      });
    },
    freeLater: (claim) => void toFree.add(claim),
    mustCount(accountId, sizeBytes) {
      const known = stored.get(accountId) ?? { uncounted: 0, hadRoom: true };
      known.uncounted += sizeBytes;
      if (!stored.has(accountId) && stored.size >= maxAccountsKnown) stored.clear();
      stored.set(accountId, known);
      return known.uncounted > uncountedBytes;
    },
    counted: (accountId, hadRoom) => void stored.set(accountId, { uncounted: 0, hadRoom }),
    hadRoom: (accountId) => stored.get(accountId)?.hadRoom ?? true,
    close: () => clearInterval(timer),
  };
}

export function stillRunning(): ApiError {
  return new ApiError(
    "idempotency_in_progress",
    "The first request with this Idempotency-Key is still running. Send the request again later to get its answer.",
    { retryAfterSeconds: 1 },
  );
}

function columns(claims: Claim[]): string[][] {
  const column = (name: "accountId" | "route" | "key" | "owner") => claims.map((claim) => claim[name]);
  return [column("accountId"), column("route"), column("key"), column("owner")];
}
