import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { and, eq } from "drizzle-orm";
import type { FastifyReply, FastifyRequest } from "fastify";
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
  /** The answer was cut short: it is not kept, and its `Idempotency-Key` is free again. */
  isPartial?: true;
}

interface OnceOptions {
  /** Finds the answer of a run whose process died before it could store it, by the id of the request that made it. */
  recover?: (requestId: string) => Promise<Answer | null>;
  /** What of the body may be stored and replayed. */
  kept?: (body: unknown) => unknown;
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
export function idempotencyKeyOf(request: Pick<FastifyRequest, "headers">): string | null {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return null;
  const key = String(header).replace(/^"(.*)"$/, "$1");
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError("invalid_parameter", "Idempotency-Key must be 1 to 255 visible ASCII characters.", {
      param: "Idempotency-Key",
    });
  return key;
}

/** The fingerprint of a parsed body: equal bodies are equal whatever their key order or multipart boundary. */
export function fingerprintOf(body: unknown): string {
  return createHash("sha256")
    .update(canonicalize(body) ?? "null")
    .digest("hex");
}

/**
 * Runs `produce` once per `Idempotency-Key`: a second request with the same body gets the stored answer with
 * `Idempotent-Replayed: true`, another body 422, one that comes while the first still runs 409. Refusals and failures
 * of `produce` are thrown on and free the key, unless `recover` finds that the work was done all the same.
 */
export async function answerOnce(
  context: Context,
  request: Pick<FastifyRequest, "method" | "routeOptions" | "headers" | "id">,
  actor: Actor,
  body: unknown,
  produce: () => Promise<Answer>,
  { recover = async () => null, kept = (whole) => whole }: OnceOptions = {},
): Promise<Answer> {
  const key = idempotencyKeyOf(request);
  if (key === null) return produce();
  const route = `${request.method} ${request.routeOptions.url}`;
  const claim = { actor, route, key, fingerprint: fingerprintOf(body), owner: request.id };
  const replay = await claimKey(context, claim, recover);
  if (replay) return { ...replay, headers: { ...replay.headers, "idempotent-replayed": "true" } };
  const answer = await produce().catch(async (error: unknown) => {
    // It may have failed after what it was to make stood in the database: that must not be made again.
    const made = await recover(claim.owner).catch(() => "unknown" as const);
    if (made === null) await freeKey(context, claim);
    if (made === null || made === "unknown") throw error;
    return made;
  });
  if (answer.isPartial) await freeKey(context, claim);
  else await storeAnswer(context, claim, { ...answer, body: kept(answer.body) });
  return answer;
}

async function freeKey(context: Context, claim: Claim): Promise<void> {
  await context.database.queries
    .delete(idempotencyKeys)
    .where(and(sameKey(claim), eq(idempotencyKeys.owner, claim.owner)))
    .catch((error) =>
      context.log.warn({ err: error }, "an Idempotency-Key is not free before its claim ends"),
    );
}

/** Takes the key, or returns the answer of the request that had it. */
async function claimKey(
  context: Context,
  claim: Claim,
  recover: (requestId: string) => Promise<Answer | null>,
): Promise<Answer | null> {
  const { queries } = context.database;
  const expiresAt = new Date(Date.now() + claimMs);
  const { fingerprint, owner } = claim;
  const [taken] = await queries
    .insert(idempotencyKeys)
    .values({
      accountId: claim.actor.accountId,
      route: claim.route,
      key: claim.key,
      fingerprint,
      owner,
      expiresAt,
    })
    .onConflictDoNothing()
    .returning({ owner: idempotencyKeys.owner });
  if (taken) return null;
  const [row] = await queries.select().from(idempotencyKeys).where(sameKey(claim));
  if (row && row.expiresAt.getTime() > Date.now() && row.fingerprint !== fingerprint)
    throw new ApiError(
      "idempotency_key_reused",
      "This Idempotency-Key was used with another body. Use a new key.",
      {
        param: "Idempotency-Key",
      },
    );
  const stored = row ? await storedAnswer(row, recover) : null;
  if (stored) return stored;
  if (row && row.expiresAt.getTime() <= Date.now()) {
    const [overtaken] = await queries
      .update(idempotencyKeys)
      .set({ fingerprint, owner, expiresAt, responseStatus: null, responseHeaders: null, responseBody: null })
      .where(and(sameKey(claim), eq(idempotencyKeys.owner, row.owner)))
      .returning({ owner: idempotencyKeys.owner });
    if (overtaken) return null;
  }
  throw new ApiError(
    "idempotency_in_progress",
    "The first request with this Idempotency-Key is still running.",
    {
      retryAfterSeconds: 1,
    },
  );
}

type Row = typeof idempotencyKeys.$inferSelect;

async function storedAnswer(
  row: Row,
  recover: (requestId: string) => Promise<Answer | null>,
): Promise<Answer | null> {
  if (row.responseStatus === null) return recover(row.owner);
  if (row.expiresAt.getTime() <= Date.now()) return null;
  const headers = row.responseHeaders ?? {};
  const bytes = row.responseBody ?? Buffer.alloc(0);
  const isJson = headers["content-type"]?.startsWith("application/json") ?? true;
  return { status: row.responseStatus, headers, body: isJson ? JSON.parse(bytes.toString("utf8")) : bytes };
}

/** What is done is done: where its answer cannot be kept, the claim stays, so that nothing is done twice. */
async function storeAnswer(context: Context, claim: Claim, answer: Answer): Promise<void> {
  await context.database.queries
    .update(idempotencyKeys)
    .set({
      responseStatus: answer.status,
      responseHeaders: answer.headers,
      responseBody: Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(JSON.stringify(answer.body)),
      expiresAt: new Date(Date.now() + keptMs),
    })
    .where(and(sameKey(claim), eq(idempotencyKeys.owner, claim.owner)))
    .catch((error) => context.log.warn({ err: error }, "an answer is not kept for its Idempotency-Key"));
}

function sameKey(claim: Claim) {
  return and(
    eq(idempotencyKeys.accountId, claim.actor.accountId),
    eq(idempotencyKeys.route, claim.route),
    eq(idempotencyKeys.key, claim.key),
  );
}

/** A body without its `secret`: that one is shown once, so a replay lacks it and the caller rotates instead. */
export function withoutSecret(body: unknown): unknown {
  const { secret: _secret, ...rest } = body as { secret?: string };
  return rest;
}

/** `answerOnce` for a route with a JSON body: produces or replays, and sends. The reply keeps its route's own type. */
export async function sendOnce<Reply extends object>(
  context: Context,
  request: Pick<FastifyRequest, "method" | "routeOptions" | "headers" | "id" | "params" | "body">,
  reply: Reply,
  actor: Actor,
  produce: () => Promise<Answer>,
  options: OnceOptions = {},
): Promise<Reply> {
  const body = { params: request.params, body: request.body };
  const answer = await answerOnce(context, request, actor, body, produce, options);
  (reply as unknown as FastifyReply).code(answer.status).headers(answer.headers).send(answer.body);
  return reply;
}
