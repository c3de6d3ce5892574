import type { FastifyReply } from "fastify";
import type { Deleted, List, PageQuery } from "#contract/list.ts";
import { sharedRoutes, shareRoutes } from "#contract/routes/shares.ts";
import type { OutputShares, Share, Shared } from "#contract/shares.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { allowAnyOrigin, answerPreflight, fileRemoved, sendObject } from "#gateway/files/storage/storage.ts";
import { everyone } from "#gateway/models/catalog/offered-entry.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, gt, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { accounts, shares } from "#gateway/platform/database/schema.ts";
import type { SharedOutput } from "#gateway/platform/database/tables/workspace.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { type FoundOutput, findOutput, findOutputs } from "#gateway/runs/provenance/find-outputs.ts";
import { withManifests } from "#gateway/runs/provenance/read-outputs.ts";
import { provenanceView } from "#gateway/runs/provenance/view.ts";
import {
  aboutRuns,
  createShare,
  maxShareSeconds,
  type ShareRow,
  shareOfToken,
  shareViews,
} from "./create.ts";
import { assertPersonMayLook, gatedAmong } from "./gates.ts";

/** Share links must not be cached, indexed or sent as a referrer. */
const forHolders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
};

export function installShares(app: App, context: Context): void {
  serve(app, context, shareRoutes, {
    "GET /shares": (request) => listShares(context, actorOf(request).accountId, request.query),
    "GET /outputs/{id}/shares": (request) =>
      sharesOfOutput(context, actorOf(request).accountId, request.params.id, request.query),
    "POST /outputs/{id}/shares": (request) =>
      createShare(context, request.caller, request.params.id, request.body),
    "DELETE /outputs/{id}/shares/{share_id}": (request) =>
      revokeShare(context, request.caller, request.params.id, request.params.share_id),
  });

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
        // Nobody can send a credential from another origin: what a page can do is what its visitor can who has the link.
        allowAnyOrigin(reply);
        const { token, number } = request.params;
        const { key, filename } = await sharedFile(context, token, number, request.actor);
        const object = await context.store.head(key);
        if (!object) throw fileRemoved();
        return sendObject(context, request, reply, key, object, filename);
      },
    },
    // HEAD by hand, as of other files.
    { "GET /shared/{token}/files/{number}": { method: ["GET", "HEAD"] } },
  );
}

/** The account's links that work, newest first. */
function listShares(context: Context, accountId: string, query: PageQuery): Promise<List<Share>> {
  return pageOf(context, accountId, query);
}

/** Those to an output, and what a new one may be. Throws `output_not_found`. */
async function sharesOfOutput(
  context: Context,
  accountId: string,
  outputId: string,
  query: PageQuery,
): Promise<OutputShares> {
  const output = await findOutput(context.database.queries, accountId, outputId);
  const [page, about, gated] = await Promise.all([
    pageOf(context, accountId, query, hasOutput(outputId)),
    aboutRuns(context, [output]),
    gatedAmong(context, [output.model]),
  ]);
  return {
    ...page,
    max_expires_in: maxShareSeconds(context),
    file_expires_at: output.file?.endsAt?.toISOString() ?? null,
    has_prompt: about.some(({ prompt }) => prompt !== null),
    gated: gated.size > 0,
  };
}

async function pageOf(
  context: Context,
  accountId: string,
  query: PageQuery,
  filter?: SQL,
): Promise<List<Share>> {
  const page = keyset("share", shares.id, query, [
    eq(shares.accountId, accountId),
    gt(shares.expiresAt, clock.date()),
    filter,
  ]);
  const rows = await context.database.queries
    .select()
    .from(shares)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const list = await withTotal(
    context.database.queries,
    page,
    listOf(page, rows, (row) => row),
  );
  return { ...list, data: await shareViews(context, accountId, list.data) };
}

/** Ends a link at once: nothing it led to is served again. Throws `share_not_found`, for another account's too. */
async function revokeShare(
  context: Context,
  { actor, ip, requestId }: Caller,
  outputId: string,
  id: string,
): Promise<Deleted> {
  const { accountId } = actor;
  await context.database.transaction(async (queries) => {
    const [revoked] = await queries
      .delete(shares)
      .where(and(eq(shares.id, id), eq(shares.accountId, accountId), hasOutput(outputId)))
      .returning();
    if (!revoked)
      throw new ApiError(
        "share_not_found",
        `There is no link ${id} to this output. It was revoked, or has ended.`,
      );
    await recordAudit(queries, {
      accountId,
      actor,
      action: "share.revoked",
      targetId: id,
      detail: {
        outputs: revoked.outputs.map(({ outputId }) => outputId),
        openings: revoked.openings,
        last_opened_at: revoked.lastOpenedAt?.toISOString() ?? null,
      },
      ip,
      requestId,
    });
  });
  return { id, object: "share", deleted: true };
}

interface OpenShare {
  row: ShareRow;
  /** In the order of the link; one whose row is gone, too, is missing. */
  outputs: (SharedOutput & { output: FoundOutput })[];
  gated: boolean;
}

/**
 * The link of a token, for somebody who may look at all it shows. Whatever is wrong with a link is answered alike, `share_not_found`; of
 * gated models throws as `assertPersonMayLook`.
 */
async function findShared(context: Context, token: string, viewer: Actor | null): Promise<OpenShare> {
  const id = context.config.shareMaxDays > 0 ? shareOfToken(context, token) : null;
  if (id === null) throw linkOver();
  const { queries } = context.database;
  const [found] = await queries
    .select({ row: shares, allowsGated: accounts.shareGatedOutputs })
    .from(shares)
    .innerJoin(accounts, eq(accounts.id, shares.accountId))
    .where(and(eq(shares.id, id), gt(shares.expiresAt, clock.date())));
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

/** What a link shows. Its opening is counted, once a second at most. */
async function openShared(context: Context, token: string, viewer: Actor | null): Promise<Shared> {
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

/** Where the file at this place of a link is, counted from 1, and the name to save it under. Throws as `findShared`. */
async function sharedFile(
  context: Context,
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

async function countOpening({ database }: Context, id: string): Promise<void> {
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

function linkOver(): ApiError {
  return new ApiError(
    "share_not_found",
    "This link does not work: it was revoked, has ended, its files were removed, or part of the address is missing. Ask the sender for a new one.",
  );
}

/** Whether a link shows this output. An account has few links: they are looked through. */
function hasOutput(outputId: string): SQL {
  return sql`${shares.outputs} @> ${JSON.stringify([{ outputId }])}::jsonb`;
}
