import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { FastifyReply } from "fastify";
import type { AttestationKind } from "#contract/attestations.ts";
import { idPrefixes, ulidOf } from "#contract/ids.ts";
import { type Shared, sharedRoutes } from "#contract/shares.ts";
import { accountsOfUser } from "#gateway/access/accounts/account.ts";
import { allowAnyOrigin, answerPreflight, fileRemoved, sendObject } from "#gateway/files/storage/storage.ts";
import { attestationsToLook, Clearance } from "#gateway/models/catalog/clearance.ts";
import { everyone } from "#gateway/models/catalog/entry.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { deriveKeys } from "#gateway/platform/core/console-secret.ts";
import { and, eq, gt, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, shares } from "#gateway/platform/database/schema.ts";
import type { SharedOutput } from "#gateway/platform/database/tables/workspace.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { type FoundOutput, findOutputs } from "#gateway/runs/provenance/find-outputs.ts";
import { provenanceView, withManifests } from "#gateway/runs/provenance/read.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";

/** Share links must not be cached, indexed or sent as a referrer. */
const forHolders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
};

/** The content of a link, for people without an account. */
export function installOpenLinks(app: App, context: WorkspaceContext): void {
  app.options("/shared/:token/files/:number", { config: { public: true } }, (_request, reply) =>
    answerPreflight(reply, "GET, HEAD"),
  );
  serve(
    app,
    context,
    sharedRoutes,
    {
      "GET /shared/{token}": (request, reply) => {
        reply.headers(forHolders);
        return openShared(context, request.params.token, request.actor);
      },
      "GET /shared/{token}/files/{number}": async (request, reply): Promise<FastifyReply> => {
        reply.headers(forHolders);
        // Pages of other origins cannot send credentials here, so a page can do only what any visitor with
        // the link can do.
        allowAnyOrigin(reply);
        const { token, number } = request.params;
        const { key, filename } = await sharedFile(context, token, number, request.actor);
        const object = await context.store.head(key);
        if (!object) throw fileRemoved();
        return sendObject(context, request, reply, key, object, filename);
      },
    },
    // HEAD is handled here: fastify's own HEAD would read the whole file.
    { "GET /shared/{token}/files/{number}": { method: ["GET", "HEAD"] } },
  );
}

export interface OpenShare {
  row: typeof shares.$inferSelect;
  /** In the order of the link; outputs whose row was deleted are left out. */
  outputs: (SharedOutput & { output: FoundOutput })[];
  gated: boolean;
}

/**
 * Finds the link by its token, for somebody who may see everything in it. Every problem with a link gives the
 * same `share_not_found`; for gated models throws as `assertPersonMayLook`.
 */
export async function findShared(
  context: WorkspaceContext,
  token: string,
  viewer: Actor | null,
): Promise<OpenShare> {
  const id = context.config.shareMaxDays > 0 ? shareOfToken(context, token) : null;
  if (id === null) throw linkOver();
  const { queries } = context.database;
  const [found] = await queries
    .select({ row: shares, allowsGated: accounts.shareGatedOutputs })
    .from(shares)
    .innerJoin(accounts, eq(accounts.id, shares.accountId))
    .where(and(eq(shares.id, id), gt(shares.expiresAt, clock.date()), isNull(accounts.suspension)));
  if (!found) throw linkOver();
  const { row, allowsGated } = found;
  const ids = row.outputs.map(({ outputId }) => outputId);
  const known = await findOutputs(queries, row.accountId, ids);
  const outputs = row.outputs.flatMap((shared) => {
    const output = known.find((one) => one.id === shared.outputId);
    return output ? [{ ...shared, output }] : [];
  });
  if (outputs.every(({ output }) => output.file === null)) throw linkOver();
  const gated = await gatedAmong(
    context,
    known.map(({ model }) => model),
  );
  if (gated.size > 0) {
    if (!allowsGated) throw linkOver();
    await assertPersonMayLook(context, viewer, [...gated]);
  }
  return { row, outputs, gated: gated.size > 0 };
}

/** The content of a link. Each opening is counted, at most once per second. */
async function openShared(context: WorkspaceContext, token: string, viewer: Actor | null): Promise<Shared> {
  const { row, outputs, gated } = await findShared(context, token, viewer);
  const stored = outputs.flatMap(({ output }) =>
    output.file === null ? [] : [{ ...output, key: output.file.key }],
  );
  const [read] = await Promise.all([withManifests(context, stored), countOpening(context, row.id)]);
  const manifests = new Map(read.map(({ id, manifest }) => [id, manifest]));
  const { publicUrl } = context.config;
  return {
    object: "shared",
    files: outputs.map(({ output, prompt, sandbox, width, height, duration }, index) => ({
      url: output.file && `${publicUrl}/v1/shared/${token}/files/${index + 1}`,
      model: output.model,
      model_name: context.catalog.model(output.model, everyone)?.display_name ?? output.model,
      content_type: output.contentType,
      size_bytes: output.sizeBytes,
      width,
      height,
      duration,
      prompt,
      provenance: provenanceView(manifests.get(output.id) ?? null, output.sha256),
      ai_label: sandbox
        ? null
        : `Made with AI: ${output.model}, ${output.createdAt.toISOString().slice(0, 10)}`,
      sandbox,
      created_at: output.createdAt.toISOString(),
      expires_at: output.file?.endsAt?.toISOString() ?? null,
    })),
    gated,
    expires_at: row.expiresAt.toISOString(),
  };
}

/**
 * The location of the file at this position of a link, from 1, and the name to save it under. Throws as
 * `findShared`.
 */
async function sharedFile(
  context: WorkspaceContext,
  token: string,
  place: string,
  viewer: Actor | null,
): Promise<{ key: string; filename: string }> {
  const { outputs } = await findShared(context, token, viewer);
  const number = Number(place);
  const output = String(number) === place ? outputs[number - 1]?.output : undefined;
  if (!output?.file) throw linkOver();
  return { key: output.file.key, filename: `${output.model.replaceAll("/", "-")}-${place}` };
}

async function countOpening({ database }: WorkspaceContext, id: string): Promise<void> {
  await database.queries
    .update(shares)
    .set({ openings: sql`${shares.openings} + 1`, lastOpenedAt: sql`now()` })
    .where(
      and(
        eq(shares.id, id),
        sql`(${shares.lastOpenedAt} is null or ${shares.lastOpenedAt} < now() - interval '1 second')`,
      ),
    );
}

export function linkOver(): ApiError {
  return new ApiError(
    "share_not_found",
    "This link does not work: it was revoked, has ended, its files were removed, or part of the address is missing. Ask the sender for a new one.",
  );
}

/** Which of these models require attestations of people who look at their output. */
export async function gatedAmong(
  context: WorkspaceContext,
  models: readonly string[],
): Promise<ReadonlySet<string>> {
  const neededFor = await attestationsToLook(context);
  return new Set(models.filter((model) => neededFor(model).length > 0));
}

/**
 * Accepts a signed-in person who has made all attestations that these models require, in any single one of
 * their accounts. Throws `user_session_required`, `adult_attestation_required` or
 * `portrait_rights_attestation_required`.
 */
async function assertPersonMayLook(
  context: WorkspaceContext,
  viewer: Actor | null,
  models: readonly string[],
): Promise<void> {
  if (viewer?.kind !== "user")
    throw new ApiError(
      "user_session_required",
      "Only signed-in people with the attestations that the model requires can open this link.",
    );
  const { id: userId } = viewer;
  let first: AttestationKind | null = null;
  for (const { id: accountId } of await accountsOfUser(context.database.queries, userId)) {
    const clearance = await Clearance.of(context, { accountId, userId, answeredBy: userId }, models);
    const missing = clearance.missingAmong(models);
    if (missing === null) return;
    first ??= missing;
  }
  throw new ApiError(
    `${first ?? "adult"}_attestation_required`,
    "Make the attestations that the model requires in the console (Attestations), then open this link again.",
  );
}

type Signing = { config: Pick<WorkspaceContext["config"], "secret" | "previousSecret"> };

const purpose = "gatehouse shared links v1";
/** 144 bits, so that it cannot be guessed. */
const signatureBytes = 18;
const form = /^([0-9a-hjkmnp-tv-z]{26})([\w-]{24})$/;

/**
 * The token in a link's URL: the share's id and a signature of it. It is computed, so that the list can show
 * a link again although no database contains it.
 */
export function tokenOf({ config }: Signing, id: string): string {
  const [current] = deriveKeys(config, purpose);
  return ulidOf(id) + signatureOf(current, id);
}

/** The share of a token made by this gateway; null for any other text. */
function shareOfToken({ config }: Signing, token: string): string | null {
  const [, ulid, signature = ""] = form.exec(token) ?? [];
  if (ulid === undefined) return null;
  const id = `${idPrefixes.share}_${ulid}`;
  const given = Buffer.from(signature);
  const isOurs = deriveKeys(config, purpose).some((key) =>
    timingSafeEqual(given, Buffer.from(signatureOf(key, id))),
  );
  return isOurs ? id : null;
}

function signatureOf(key: KeyObject, id: string): string {
  return createHmac("sha256", key).update(id).digest().subarray(0, signatureBytes).toString("base64url");
}
