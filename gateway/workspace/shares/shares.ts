import { isId, newId } from "#contract/ids.ts";
import { type Deleted, deleted, type List, type PageQuery } from "#contract/list.ts";
import {
  type OutputShares,
  type Share,
  type ShareCreate,
  shareLimits,
  shareRoutes,
} from "#contract/shares.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import { promptOf } from "#gateway/models/catalog/prompt-of.ts";
import { type Caller, madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { lockName, readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { accounts, predictions, shares } from "#gateway/platform/database/schema.ts";
import type { SharedOutput } from "#gateway/platform/database/tables/workspace.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import {
  type FoundOutput,
  fileToPassOn,
  findOutput,
  findOutputs,
  outputNotFound,
  readKept,
  type StoredFile,
} from "#gateway/runs/provenance/find-outputs.ts";
import type { OutputRow } from "#gateway/runs/provenance/record.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";
import { gatedAmong, installOpenLinks, tokenOf } from "./open-links.ts";

export function installShares(app: App, context: WorkspaceContext): void {
  serve(app, context, shareRoutes, {
    "GET /shares": ({ caller, query }) => pageOf(context, caller.actor.accountId, query),
    "GET /outputs/{id}/shares": ({ caller, params, query }) =>
      sharesOfOutput(context, caller.actor.accountId, params.id, query),
    "POST /outputs/{id}/shares": ({ caller, params, body }) => createShare(context, caller, params.id, body),
    "DELETE /outputs/{id}/shares/{share_id}": ({ caller, params }) =>
      revokeShare(context, caller, params.id, params.share_id),
  });
  installOpenLinks(app, context);
}

type ShareRow = typeof shares.$inferSelect;

/** Links to an output, and the limits for a new one. Throws `output_not_found`. */
async function sharesOfOutput(
  context: WorkspaceContext,
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

/** A page of the links that still work, newest first. */
function pageOf(
  context: WorkspaceContext,
  accountId: string,
  query: PageQuery,
  filter?: SQL,
): Promise<List<Share>> {
  const { queries } = context.database;
  const page = keyset("share", shares.id, query, [
    eq(shares.accountId, accountId),
    gt(shares.expiresAt, clock.date()),
    filter,
  ]);
  return readPage(queries, page, queries.select().from(shares).$dynamic(), (rows) =>
    shareViews(context, accountId, rows),
  );
}

const daySeconds = 86_400;

/** The longest life of a link, in seconds; 0: sharing is off. */
function maxShareSeconds({ config }: Pick<WorkspaceContext, "config">): number {
  return config.shareMaxDays * daySeconds;
}

/**
 * Creates a link to outputs, which ends with their files at the latest. Throws `sharing_off`,
 * `invalid_parameter`, `output_not_found`, `file_barred`, `payload_purged`, `gated_outputs_not_shared`, `too_many_shares`,
 * and as `assertMayLook`.
 */
async function createShare(
  context: WorkspaceContext,
  caller: Caller,
  outputId: string,
  create: ShareCreate,
): Promise<Share> {
  const { actor } = caller;
  const { accountId } = actor;
  assertDuration(context, create.expires_in);
  const ids = [...new Set([outputId, ...(create.with ?? [])])];
  const found = await findWithFiles(context, accountId, ids);
  await assertGatesAllowSharing(context, caller, found);
  const outputs = await shownOf(context, found, create.show_prompt ?? false);
  const fileEndsMs = Math.max(...found.map(({ file }) => file.endsAt?.getTime() ?? Number.POSITIVE_INFINITY));
  const expiresAt = new Date(Math.min(clock.now() + create.expires_in * 1000, fileEndsMs));
  const row = await audited(context, caller, "share.created", async (queries) => {
    await assertRoom(queries, accountId);
    const [made] = await queries
      .insert(shares)
      .values({
        id: newId("share"),
        accountId,
        ...madeBy(actor),
        outputs,
        expiresAt,
      })
      .returning();
    if (!made) throw new ApiError("internal_error", "The link was not saved.");
    return {
      target: made.id,
      detail: {
        outputs: ids,
        models: [...new Set(found.map(({ model }) => model))],
        expires_at: expiresAt.toISOString(),
        shows_prompt: create.show_prompt ?? false,
      },
      result: made,
    };
  });
  const [view] = await shareViews(context, accountId, [row]);
  return view as Share;
}

function assertDuration(context: WorkspaceContext, seconds: number): void {
  const most = maxShareSeconds(context);
  if (most === 0)
    throw new ApiError(
      "sharing_off",
      "The operator of this gateway has turned sharing off (SHARE_MAX_DAYS=0).",
    );
  if (seconds > most)
    throw invalidParameter(
      "expires_in",
      `expires_in must be at most ${most}: a link works for ${context.config.shareMaxDays} days at most.`,
    );
}

type WithFile = FoundOutput & { file: StoredFile };

async function findWithFiles(
  context: WorkspaceContext,
  accountId: string,
  ids: string[],
): Promise<WithFile[]> {
  const found = await findOutputs(context.database.queries, accountId, ids);
  const missing = ids.find((id) => !found.some((output) => output.id === id));
  if (missing !== undefined) throw outputNotFound(missing);
  return found.map((output) => ({ ...output, file: fileToPassOn(output) }));
}

/** To share output of gated models, the account must allow it and the caller must have attested. */
async function assertGatesAllowSharing(
  context: WorkspaceContext,
  { actor }: Caller,
  found: readonly FoundOutput[],
): Promise<void> {
  const [gated] = await gatedAmong(
    context,
    found.map(({ model }) => model),
  );
  if (gated === undefined) return;
  const [account] = await context.database.queries
    .select({ isAllowed: accounts.shareGatedOutputs })
    .from(accounts)
    .where(eq(accounts.id, actor.accountId));
  if (!account?.isAllowed)
    throw new ApiError(
      "gated_outputs_not_shared",
      `${gated} requires attestations, so its outputs cannot be shared. An owner can allow it in the account's settings; then only signed-in people with the same attestations can open the link.`,
    );
  for (const { model } of found) await assertMayLook(context, actor, model);
}

async function shownOf(
  context: WorkspaceContext,
  found: readonly FoundOutput[],
  showsPrompt: boolean,
): Promise<SharedOutput[]> {
  const known = await aboutRuns(context, found);
  if (!showsPrompt) return known.map((output) => ({ ...output, prompt: null }));
  if (known.every(({ prompt }) => prompt === null))
    throw invalidParameter("show_prompt", "No prompt is stored for this output. Share it without one.");
  return known;
}

/** An account's links are created one at a time, so that their number stays within the limit. */
async function assertRoom(queries: Queries, accountId: string): Promise<void> {
  await lockName(queries, `shares of ${accountId}`);
  const works = and(eq(shares.accountId, accountId), gt(shares.expiresAt, clock.date()));
  if ((await queries.$count(shares, works)) >= shareLimits.perAccount)
    throw new ApiError(
      "too_many_shares",
      `An account has at most ${shareLimits.perAccount.toLocaleString("en")} active links. Revoke one first.`,
    );
}

/** The links as members of the account see them. */
async function shareViews(
  context: WorkspaceContext,
  accountId: string,
  rows: readonly ShareRow[],
): Promise<Share[]> {
  const { queries } = context.database;
  const ids = [...new Set(rows.flatMap(({ outputs }) => outputs.map(({ outputId }) => outputId)))];
  const [outputs, makerOf] = await Promise.all([
    ids.length === 0 ? [] : findOutputs(queries, accountId, ids),
    readMakers(queries, rows),
  ]);
  const byId = new Map(outputs.map((output) => [output.id, output]));
  const gated = await gatedAmong(
    context,
    outputs.map(({ model }) => model),
  );
  return rows.map((row) => {
    const shown = row.outputs.flatMap(({ outputId }) => byId.get(outputId) ?? []);
    return {
      id: row.id,
      object: "share",
      url: `${context.config.consoleUrl}/public/shared/${tokenOf(context, row.id)}`,
      outputs: shown.map(({ id, model, contentType, file }) => ({
        id,
        model,
        content_type: contentType,
        expires_at: file?.endsAt?.toISOString() ?? null,
        removed: file === null,
      })),
      shows_prompt: row.outputs.some(({ prompt }) => prompt !== null),
      gated: shown.some(({ model }) => gated.has(model)),
      made_by: makerOf(row),
      created_at: row.createdAt.toISOString(),
      expires_at: row.expiresAt.toISOString(),
      openings: row.openings,
      last_opened_at: row.lastOpenedAt?.toISOString() ?? null,
    };
  });
}

/** Characters of a prompt that are shown. */
const promptLength = 20_000;

/**
 * The known facts about the runs behind these outputs. The prompt of a sync run is known only if it was kept
 * with its output.
 */
async function aboutRuns(context: WorkspaceContext, outputs: readonly OutputRow[]): Promise<SharedOutput[]> {
  const { queries } = context.database;
  const ofPredictions = outputs.map(({ runId }) => runId).filter((id) => isId("prediction", id));
  const [rows, kept] = await Promise.all([
    ofPredictions.length === 0
      ? []
      : queries
          .select({
            id: predictions.id,
            input: predictions.input,
            files: predictions.outputs,
            sandbox: predictions.sandbox,
          })
          .from(predictions)
          .where(inArray(predictions.id, ofPredictions)),
    readKept(
      queries,
      outputs.map(({ id }) => id),
    ),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return outputs.map(({ id, runId, position, sandbox }) => {
    const run = byId.get(runId);
    const { width = null, height = null, duration = null } = run?.files?.[position - 1] ?? {};
    return {
      outputId: id,
      prompt: cut(promptOf(run?.input ?? null)) ?? kept.get(id)?.prompt ?? null,
      sandbox: run?.sandbox ?? sandbox,
      width,
      height,
      duration,
    };
  });
}

function cut(prompt: string | null): string | null {
  return prompt?.slice(0, promptLength).toWellFormed() ?? null;
}

/**
 * Ends a link at once: its content is no longer served. Throws `share_not_found`, also for another account's
 * id.
 */
async function revokeShare(
  context: WorkspaceContext,
  caller: Caller,
  outputId: string,
  id: string,
): Promise<Deleted> {
  const { accountId } = caller.actor;
  return audited(context, caller, "share.revoked", async (queries) => {
    const [revoked] = await queries
      .delete(shares)
      .where(and(eq(shares.id, id), eq(shares.accountId, accountId), hasOutput(outputId)))
      .returning();
    if (!revoked)
      throw new ApiError(
        "share_not_found",
        `There is no link ${id} to this output. It was revoked, or has ended.`,
      );
    return {
      target: id,
      detail: {
        outputs: revoked.outputs.map(({ outputId }) => outputId),
        openings: revoked.openings,
        last_opened_at: revoked.lastOpenedAt?.toISOString() ?? null,
      },
      result: deleted("share", id),
    };
  });
}

/** Whether a link contains this output. An account has few links, so all are searched. */
function hasOutput(outputId: string): SQL {
  return sql`${shares.outputs} @> ${JSON.stringify([{ outputId }])}::jsonb`;
}

/** Deletes expired links, with the prompts that they showed. */
export const shareSweep = rowSweep({ kind: "shares", table: "shares", dueAt: "expires_at" });
