import type { FastifyRequest } from "fastify";
import { callbackHeader } from "#contract/webhook-constants.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { hashOfJson } from "#gateway/platform/core/canonical-json.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, lte, sql } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { idempotencyKeys } from "#gateway/platform/database/schema.ts";
import { type Claim, claimMs, stillRunning } from "./key-claims.ts";

/** How long a key is kept, with its answer or with the fact that the answer was not kept, unless its account keeps less. */
const keptMs = 86_400_000;
/**
 * The largest kept answer, and the limit for all answers of an account, exceeded by at most a megabyte per
 * process.
 */
const keptAnswerBytes = 16_000_000;
const keptAccountBytes = 256_000_000;
/** Answers up to this size are small: the room for them is checked for many at once. */
const smallAnswerBytes = 65_536;
/** Stored as the status of an answer that was too large to keep. */
const notKept = 410;

/** An answer in a form that can be stored and replayed. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** JSON, or bytes with their own content type in `headers`. */
  body: unknown;
  /** True if the answer was interrupted: it is not stored, and its `Idempotency-Key` can be used again. */
  isPartial?: true;
}

interface OnceOptions {
  /** Finds the answer of a run whose process died before storing it, by the request's id. */
  recover?: (requestId: string) => Promise<Answer | null>;
  /** Returns the part of the answer's body that may be stored and replayed. */
  kept?: (body: unknown) => unknown;
  /**
   * Set for a run that is sent to an upstream and writes no row before it ends. If its process died, nobody
   * knows whether the run happened, so it is not repeated.
   */
  leavesNoTrace?: boolean;
}

/**
 * Makes the answer. Call `assertHeld` before a write that must not happen twice; see `KeyClaims`. A stream
 * calls `keep` with its whole answer before it sends the end, so that a client that repeats the request at
 * once gets this answer; other answers are stored when they are returned. Without a key both do nothing.
 */
export type Produce = (
  assertHeld: () => Promise<void>,
  keep: (answer: Answer) => Promise<void>,
) => Promise<Answer>;

/**
 * The request's `Idempotency-Key` without quotes; null if there is none. Throws if it is not 1..255 visible
 * ASCII characters.
 */
export function idempotencyKeyOf(request: Pick<FastifyRequest, "headers">): string | null {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return null;
  const key = String(header).replace(/^"(.*)"$/, "$1");
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidParameter("Idempotency-Key", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
  return key;
}

/**
 * The callback may be in a header, so it is part of the comparison: a request with another callback is a
 * different request.
 */
function withCallback({ [callbackHeader]: callback }: FastifyRequest["headers"], body: unknown): unknown {
  return callback === undefined ? body : { callback, body: body ?? null };
}

/**
 * Runs `produce` once per `Idempotency-Key`: a second request with the same body gets the stored answer with
 * `Idempotent-Replayed: true`, another body 422, one sent while the first still runs 409. Errors of `produce`
 * are rethrown and free the key, unless `recover` finds that the work was done anyway. If the process of the
 * first request died, the answer is what `recover` finds, or `upstream_outcome_unknown` with `leavesNoTrace`;
 * otherwise the request did not start.
 */
export async function answerOnce(
  context: PlatformContext,
  request: Pick<FastifyRequest, "method" | "routeOptions" | "headers" | "id" | "mayHaveWritten">,
  actor: Actor,
  body: unknown,
  produce: Produce,
  options: OnceOptions = {},
): Promise<Answer> {
  const key = idempotencyKeyOf(request);
  // `await` saves three turns of the event loop, which returning a promise from an async function would take.
  const begins = async () => {
    request.mayHaveWritten = true;
  };
  if (key === null) return await produce(begins, nothing);
  const { claims } = context;
  const { recover = findNothing, kept = (whole) => whole } = options;
  const claim: Claim = {
    accountId: actor.accountId,
    route: `${request.method} ${request.routeOptions.url}`,
    key,
    fingerprint: await hashOfJson(withCallback(request.headers, body)),
    owner: request.id,
  };
  const replay = await claimKey(context, claim, options);
  if (replay) return { ...replay, headers: { ...replay.headers, "idempotent-replayed": "true" } };
  let isKept = false;
  const keep = async (answer: Answer): Promise<void> => {
    await storeAnswer(context, claim, { ...answer, body: kept(answer.body) });
    isKept = true;
  };
  try {
    const answer = await produce(() => claims.assertHeld(claim).then(begins), keep).catch(async (error) => {
      // The work may have failed after its result was committed; the result must not be created again.
      const made = await recover(claim.owner).catch(() => "unknown" as const);
      if (made === null) await claims.free(claim);
      if (made === null || made === "unknown") throw error;
      return made;
    });
    if (answer.isPartial) await claims.free(claim);
    else if (!isKept) await keep(answer);
    return answer;
  } finally {
    claims.remove(claim);
  }
}

const findNothing = async () => null;
const nothing = async () => {};

/** Claims the key, or returns the answer of the request that already used it. */
async function claimKey(
  { database: { queries }, claims }: PlatformContext,
  claim: Claim,
  { recover = findNothing, leavesNoTrace = false }: OnceOptions,
): Promise<Answer | null> {
  const sentAt = performance.now();
  const now = clock.date();
  const { fingerprint, owner } = claim;
  const times = {
    claimedUntil: new Date(now.getTime() + claimMs),
    expiresAt: new Date(now.getTime() + keptMs),
  };
  const [taken] = await queries
    .insert(idempotencyKeys)
    .values({ ...claim, ...times })
    .onConflictDoNothing()
    .returning({ owner: idempotencyKeys.owner })
    .catch((error: unknown) => {
      // The claim may have been written and only the confirmation was lost.
      claims.freeLater(claim);
      throw error;
    });
  if (taken) {
    claims.add(claim, sentAt);
    return null;
  }
  const [row] = await queries.select().from(idempotencyKeys).where(sameKey(claim));
  if (!row) throw stillRunning();
  const isOver = row.expiresAt <= now;
  if (!isOver && row.fingerprint !== fingerprint)
    throw new ApiError(
      "idempotency_key_reused",
      "This Idempotency-Key was already used with a different body. Use a new key.",
      { param: "Idempotency-Key" },
    );
  const stored = await storedAnswer(row, recover);
  if (stored) return stored;
  const isLost = row.responseStatus === null && row.claimedUntil !== null && row.claimedUntil <= now;
  if (isLost && !isOver && leavesNoTrace)
    throw new ApiError(
      "upstream_outcome_unknown",
      "The process that ran the first request with this Idempotency-Key ended before it could store the answer. Whether it ran is unknown, so it was not sent again. To run it again, use a new key.",
      { param: "Idempotency-Key" },
    );
  if (isOver || isLost) {
    const isStill = lte(isOver ? idempotencyKeys.expiresAt : idempotencyKeys.claimedUntil, now);
    const [overtaken] = await queries
      .update(idempotencyKeys)
      .set({ fingerprint, owner, ...times, responseStatus: null, responseHeaders: null, responseBody: null })
      .where(and(sameKey(claim), eq(idempotencyKeys.owner, row.owner), isStill))
      .returning({ owner: idempotencyKeys.owner });
    if (overtaken) {
      claims.add(claim, sentAt);
      return null;
    }
  }
  throw stillRunning();
}

type Row = typeof idempotencyKeys.$inferSelect;

async function storedAnswer(
  row: Row,
  recover: (requestId: string) => Promise<Answer | null>,
): Promise<Answer | null> {
  if (row.responseStatus === null) return recover(row.owner);
  if (row.expiresAt.getTime() <= clock.now()) return null;
  if (row.responseStatus === notKept)
    throw new ApiError(
      "payload_purged",
      "The first request with this Idempotency-Key succeeded, but its answer was too large to be kept. Use a new key to run the request again.",
      { param: "Idempotency-Key" },
    );
  const headers = row.responseHeaders ?? {};
  const bytes = row.responseBody ?? Buffer.alloc(0);
  const isJson = headers["content-type"]?.startsWith("application/json") ?? true;
  return { status: row.responseStatus, headers, body: isJson ? JSON.parse(bytes.toString("utf8")) : bytes };
}

/** The work is done: if its answer cannot be stored, the claim stays, so that nothing runs twice. */
async function storeAnswer(context: PlatformContext, claim: Claim, answer: Answer): Promise<void> {
  const body = Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(JSON.stringify(answer.body));
  const store = async () => {
    const kept = (await hasRoom(context, claim.accountId, body.length))
      ? { responseStatus: answer.status, responseHeaders: answer.headers, responseBody: body }
      : { responseStatus: notKept };
    await context.database.queries
      .update(idempotencyKeys)
      .set({ ...kept, expiresAt: new Date(clock.now() + keptMsOf(context, claim.accountId)) })
      .where(and(sameKey(claim), eq(idempotencyKeys.owner, claim.owner)));
  };
  await store().catch((error) =>
    context.log.warn({ err: error }, "an answer could not be stored for its Idempotency-Key"),
  );
}

/** An answer is kept no longer than what it says. */
function keptMsOf({ retention }: PlatformContext, accountId: string): number {
  return retention.minutesOf(accountId) === null ? keptMs : Math.min(keptMs, retention.of(accountId));
}

/** Whether an answer of this size may be stored. For small answers this needs no extra statement. */
async function hasRoom(
  { database, claims }: PlatformContext,
  accountId: string,
  sizeBytes: number,
): Promise<boolean> {
  if (sizeBytes > keptAnswerBytes) return false;
  if (!claims.mustCount(accountId, sizeBytes) && sizeBytes <= smallAnswerBytes)
    return claims.hadRoom(accountId);
  const [kept] = await database.queries
    .select({ bytes: sql<string>`coalesce(sum(octet_length(${idempotencyKeys.responseBody})), 0)` })
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.accountId, accountId));
  const usedBytes = Number(kept?.bytes);
  claims.counted(accountId, usedBytes < keptAccountBytes);
  return usedBytes + sizeBytes <= keptAccountBytes;
}

function sameKey(claim: Claim) {
  return and(
    eq(idempotencyKeys.accountId, claim.accountId),
    eq(idempotencyKeys.route, claim.route),
    eq(idempotencyKeys.key, claim.key),
  );
}

export const idempotencyKeySweep = rowSweep({
  kind: "idempotency_keys",
  table: "idempotency_keys",
  dueAt: "expires_at",
});
