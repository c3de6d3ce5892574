import { createHmac, timingSafeEqual } from "node:crypto";
import { idPrefixes, isId, newId, ulidOf } from "#contract/ids.ts";
import { type Share, type ShareCreate, shareLimits } from "#contract/shares.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { deriveKeys } from "#gateway/platform/core/console-secret.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, eq, gt, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, predictions, shares } from "#gateway/platform/database/schema.ts";
import type { SharedOutput } from "#gateway/platform/database/tables/workspace.ts";
import { promptOf } from "#gateway/runs/operations/prompt-of.ts";
import {
  type FoundOutput,
  findOutputs,
  outputFileRemoved,
  outputNotFound,
  type StoredFile,
} from "#gateway/runs/provenance/find-outputs.ts";
import { readKept } from "#gateway/runs/provenance/of-runs.ts";
import type { OutputRow } from "#gateway/runs/provenance/record.ts";
import { gatedAmong } from "./gates.ts";

const daySeconds = 86_400;

/** The longest that a link may work, in seconds; 0: sharing is off. */
export function maxShareSeconds({ config }: Pick<Context, "config">): number {
  return config.shareMaxDays * daySeconds;
}

/**
 * Makes a link to outputs, which ends when their files do if not before. Throws `sharing_off`, `invalid_parameter`, `output_not_found`,
 * `payload_purged`, `gated_outputs_not_shared`, `too_many_shares`, and as `assertMayLook`.
 */
export async function createShare(
  context: Context,
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
  const row = await context.database.transaction(async (queries) => {
    await assertRoom(queries, accountId);
    const [made] = await queries
      .insert(shares)
      .values({
        id: newId("share"),
        accountId,
        keyId: actor.kind === "key" ? actor.id : null,
        userId: actor.userId,
        outputs,
        expiresAt,
      })
      .returning();
    if (!made) throw new ApiError("internal_error", "The link was not saved.");
    await recordAudit(queries, {
      accountId,
      actor,
      action: "share.created",
      targetId: made.id,
      detail: {
        outputs: ids,
        models: [...new Set(found.map(({ model }) => model))],
        expires_at: expiresAt.toISOString(),
        shows_prompt: create.show_prompt ?? false,
      },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return made;
  });
  const [view] = await shareViews(context, accountId, [row]);
  return view as Share;
}

function assertDuration(context: Context, seconds: number): void {
  const most = maxShareSeconds(context);
  if (most === 0)
    throw new ApiError(
      "sharing_off",
      "The operator of this gateway has turned sharing off (SHARE_MAX_DAYS=0).",
    );
  if (seconds > most)
    throw new ApiError(
      "invalid_parameter",
      `expires_in must be at most ${most}: a link works for ${context.config.shareMaxDays} days at most.`,
      { param: "expires_in" },
    );
}

type WithFile = FoundOutput & { file: StoredFile };

async function findWithFiles(context: Context, accountId: string, ids: string[]): Promise<WithFile[]> {
  const found = await findOutputs(context.database.queries, accountId, ids);
  const missing = ids.find((id) => !found.some((output) => output.id === id));
  if (missing !== undefined) throw outputNotFound(missing);
  return found.map((output) => {
    if (output.file === null) throw outputFileRemoved();
    return { ...output, file: output.file };
  });
}

/** Who shares what gated models made needs the owner's leave, and to have attested themselves. */
async function assertGatesAllowSharing(
  context: Context,
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
      `${gated} asks for attestations, so what it made is not shared. An owner can allow it in the settings of the account; then only signed-in people who attested the same can open the link.`,
    );
  for (const { model } of found) await assertMayLook(context, actor, model);
}

async function shownOf(
  context: Context,
  found: readonly FoundOutput[],
  showsPrompt: boolean,
): Promise<SharedOutput[]> {
  const known = await aboutRuns(context, found);
  if (!showsPrompt) return known.map((output) => ({ ...output, prompt: null }));
  if (known.every(({ prompt }) => prompt === null))
    throw new ApiError("invalid_parameter", "No prompt is stored for this output. Share it without one.", {
      param: "show_prompt",
    });
  return known;
}

/** Links of an account are made one after the other, so that their number stays within the limit. */
async function assertRoom(queries: Queries, accountId: string): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`shares of ${accountId}`}, 0))`);
  const [live] = await queries
    .select({ count: count() })
    .from(shares)
    .where(and(eq(shares.accountId, accountId), gt(shares.expiresAt, clock.date())));
  if ((live?.count ?? 0) >= shareLimits.perAccount)
    throw new ApiError(
      "too_many_shares",
      `An account has at most ${shareLimits.perAccount.toLocaleString("en")} links that work. Revoke one first.`,
    );
}

export type ShareRow = typeof shares.$inferSelect;

/** Links as members of their account see them. */
export async function shareViews(
  context: Context,
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

type Signing = { config: Pick<Context["config"], "secret" | "previousSecret"> };

const purpose = "gatehouse shared links v1";
/** 144 bits, so that nobody guesses one. */
const signatureBytes = 18;
const form = /^([0-9a-hjkmnp-tv-z]{26})([\w-]{24})$/;

/**
 * What a link has in its address: the share's id and a signature of it. It is computed, so that the list can show a link
 * again and no database holds one.
 */
function tokenOf({ config }: Signing, id: string): string {
  const [current] = deriveKeys(config, purpose);
  return ulidOf(id) + signatureOf(current, id);
}

/** The share of a token that this gateway made; null for any other text. */
export function shareOfToken({ config }: Signing, token: string): string | null {
  const [, ulid, signature = ""] = form.exec(token) ?? [];
  if (ulid === undefined) return null;
  const id = `${idPrefixes.share}_${ulid}`;
  const given = Buffer.from(signature);
  const isOurs = deriveKeys(config, purpose).some((key) =>
    timingSafeEqual(given, Buffer.from(signatureOf(key, id))),
  );
  return isOurs ? id : null;
}

function signatureOf(key: Buffer, id: string): string {
  return createHmac("sha256", key).update(id).digest().subarray(0, signatureBytes).toString("base64url");
}

/** More of a prompt is not shown. */
const promptLength = 20_000;

/** What is known of the runs that made these outputs. The prompt of a sync run is known only where it was kept with its output. */
export async function aboutRuns(context: Context, outputs: readonly OutputRow[]): Promise<SharedOutput[]> {
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
