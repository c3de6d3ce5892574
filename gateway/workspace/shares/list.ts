import type { List, PageQuery } from "#contract/list.ts";
import type { OutputShares, Share } from "#contract/shares.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq, gt, type SQL } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { shares } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { findOutput } from "#gateway/runs/provenance/find-outputs.ts";
import { aboutRuns } from "./about-runs.ts";
import { maxShareSeconds } from "./create.ts";
import { gatedAmong } from "./gates.ts";
import { hasOutput } from "./has-output.ts";
import { shareViews } from "./view.ts";

/** The account's links that work, newest first. */
export function listShares(context: Context, accountId: string, query: PageQuery): Promise<List<Share>> {
  return pageOf(context, accountId, query);
}

/** Those to an output, and what a new one may be. Throws `output_not_found`. */
export async function sharesOfOutput(
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
