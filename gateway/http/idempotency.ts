import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { and, eq, lt, sql } from "drizzle-orm";
import type { FastifyRequest } from "fastify";
import type { Context } from "#gateway/context.ts";
import { idempotencyKeys } from "#gateway/database/schema.ts";
import type { Actor } from "./actor.ts";
import { ApiError } from "./api-error.ts";

/** How long a finished answer can be replayed, and how long a run may take before its claim is void. */
const keptMs = 86_400_000;
const claimMs = 15 * 60_000;

/** An answer as a value, so that it can be stored and sent again. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** JSON, or bytes with their own content type in `headers`. */
  body: unknown;
}

interface Claim {
  actor: Actor;
  /** Method and path pattern. */
  route: string;
  key: string;
  fingerprint: string;
  /** The request that holds the claim. */
  owner: string;
}

/** The request's `Idempotency-Key`, bare; null without one. Throws when it is not 1..255 visible ASCII characters. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return null;
  const key = String(header).replace(/^"(.*)"$/, "$1");
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError("invalid_parameter", "Idempotency-Key must be 1 to 255 visible ASCII characters.", { param: "Idempotency-Key" });
  return key;
}

/** The fingerprint of a parsed body: equal bodies are equal whatever their key order or multipart boundary. */
export function fingerprintOf(body: unknown): string {
  return createHash("sha256").update(canonicalize(body) ?? "null").digest("hex");
}

/**
 * Runs `produce` once per `Idempotency-Key`: a second request with the same body gets the stored answer with
 * `Idempotent-Replayed: true`, another body 422, one that comes while the first still runs 409. Refusals and failures
 * of `produce` are thrown on and free the key.
 */
export async function answerOnce(
  context: Context,
  request: FastifyRequest,
  actor: Actor,
  body: unknown,
  produce: () => Promise<Answer>,
): Promise<Answer> {
  const key = idempotencyKeyOf(request);
  if (key === null) return produce();
  const route = `${request.method} ${request.routeOptions.url}`;
  const claim = { actor, route, key, fingerprint: fingerprintOf(body), owner: request.id };
  const replay = await claimKey(context, claim);
  if (replay) return replay;
  try {
    const answer = await produce();
    await storeAnswer(context, claim, answer);
    return answer;
  } catch (error) {
    await context.database.queries.delete(idempotencyKeys).where(ownClaim(claim));
    throw error;
  }
}

/** Takes the key, or returns the stored answer of the request that had it. */
async function claimKey(context: Context, claim: Claim): Promise<Answer | null> {
  const { queries } = context.database;
  const { accountId } = claim.actor;
  const values = {
    accountId,
    route: claim.route,
    key: claim.key,
    fingerprint: claim.fingerprint,
    owner: claim.owner,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + claimMs),
  };
  const [taken] = await queries
    .insert(idempotencyKeys)
    .values(values)
    .onConflictDoUpdate({
      target: [idempotencyKeys.accountId, idempotencyKeys.route, idempotencyKeys.key],
      set: { ...values, responseStatus: null, responseHeaders: null, responseBody: null },
      setWhere: lt(idempotencyKeys.expiresAt, sql`now()`),
    })
    .returning({ owner: idempotencyKeys.owner });
  if (taken) return null;
  const [row] = await queries
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.route, claim.route), eq(idempotencyKeys.key, claim.key)));
  if (row && row.fingerprint !== claim.fingerprint)
    throw new ApiError("idempotency_key_reused", "This Idempotency-Key was used with another body. Use a new key.", { param: "Idempotency-Key" });
  if (!row || row.responseStatus === null)
    throw new ApiError("idempotency_in_progress", "The first request with this Idempotency-Key is still running.", {
      retryAfterSeconds: 1,
    });
  const headers: Record<string, string> = { ...row.responseHeaders, "idempotent-replayed": "true" };
  const stored = row.responseBody ?? Buffer.alloc(0);
  const isJson = headers["content-type"]?.startsWith("application/json") ?? true;
  return { status: row.responseStatus, headers, body: isJson ? JSON.parse(stored.toString("utf8")) : stored };
}

async function storeAnswer(context: Context, claim: Claim, answer: Answer): Promise<void> {
  await context.database.queries
    .update(idempotencyKeys)
    .set({
      responseStatus: answer.status,
      responseHeaders: answer.headers,
      responseBody: Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(JSON.stringify(answer.body)),
      expiresAt: new Date(Date.now() + keptMs),
    })
    .where(ownClaim(claim));
}

function ownClaim(claim: Claim) {
  return and(
    eq(idempotencyKeys.accountId, claim.actor.accountId),
    eq(idempotencyKeys.route, claim.route),
    eq(idempotencyKeys.key, claim.key),
    eq(idempotencyKeys.owner, claim.owner),
  );
}
