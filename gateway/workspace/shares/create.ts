import { newId } from "#contract/ids.ts";
import { type Share, type ShareCreate, shareLimits } from "#contract/shares.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, eq, gt, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, shares } from "#gateway/platform/database/schema.ts";
import type { SharedOutput } from "#gateway/platform/database/tables/shares.ts";
import {
  type FoundOutput,
  findOutputs,
  outputFileRemoved,
  outputNotFound,
  type StoredFile,
} from "#gateway/runs/provenance/find-outputs.ts";
import { aboutRuns } from "./about-runs.ts";
import { gatedAmong } from "./gates.ts";
import { shareViews } from "./view.ts";

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
