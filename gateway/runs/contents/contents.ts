import {
  type Content,
  type ContentQuery,
  type ContentSummary,
  keptContentRoutes,
} from "#contract/contents.ts";
import { type Deleted, deleted, type List } from "#contract/list.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { assertMayLook, Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { eq, inArray, type SQL } from "#gateway/platform/database/drizzle.ts";
import { listOf, withTotal } from "#gateway/platform/database/keyset.ts";
import { contents } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { exportContents } from "./export.ts";
import {
  filteredContents,
  findContent,
  none,
  openContent,
  readable,
  recordOpenings,
  summaryColumns,
  summaryOf,
} from "./read.ts";
import { searchContents } from "./search.ts";

const maxIds = 100;

/** What calls said, for accounts that keep it (an extension). */
export function installContents(app: App, context: RunsContext): void {
  serve(app, context, keptContentRoutes, {
    "GET /contents": ({ caller, query }) => listContents(context, caller, query),
    "GET /contents/search": ({ caller, query }) => searchContents(context, caller, query),
    "GET /contents/export": ({ caller, query }, reply) => exportContents(context, caller, query, reply),
    "GET /contents/{id}": ({ caller, params }) => readContent(context, caller, params.id),
    "DELETE /contents/{id}": ({ caller, params }) => deleteContent(context, caller, params.id),
  });
}

/** The account's contents by their first words, newest first. Throws `invalid_parameter` for too many ids. */
async function listContents(
  context: RunsContext,
  caller: Caller,
  query: ContentQuery,
): Promise<List<ContentSummary>> {
  const { actor } = caller;
  const { queries } = context.database;
  const ids = query.ids?.split(",");
  if (ids && ids.length > maxIds) throw invalidParameter("ids", `ids must name at most ${maxIds} runs.`);
  const from = await readable(context, actor.accountId);
  const page = filteredContents(from?.among ?? none, query, [ids && inArray(contents.id, ids)]);
  const rows = await queries
    .select(summaryColumns)
    .from(contents)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const clearance = await Clearance.of(
    context,
    actor,
    rows.map(({ model }) => model),
  );
  const list = listOf(
    page,
    from ? rows.map((row) => summaryOf(from.secret, row, clearance.missing(row.model) !== null)) : [],
    (item) => item,
  );
  if (list.data.length > 0) await recordOpenings(context, caller, "contents.listed", [actor.accountId]);
  return withTotal(queries, page, list);
}

/** What a call said. Throws `content_not_found`, and as `assertMayLook`. */
async function readContent(context: RunsContext, caller: Caller, id: string): Promise<Content> {
  const { row, secret } = await findContent(context, caller.actor.accountId, id);
  await assertMayLook(context, caller.actor, row.model);
  await recordOpenings(context, caller, "content.opened", [row.id]);
  const { input, output, failure, isCut, changes } = await openContent(secret, row);
  return {
    ...summaryOf(secret, row, false),
    input,
    output: output as Content["output"],
    error: failure,
    cut: isCut,
    upstream_changes: changes ?? null,
  };
}

/** Deletes a content, and so its key. Throws `content_not_found`. */
export async function deleteContent(
  context: RunsContext,
  caller: Caller,
  id: string,
  also?: SQL,
): Promise<Deleted> {
  const { row } = await findContent(context, caller.actor.accountId, id, also);
  await audited(context, caller, "content.deleted", async (queries) => {
    await queries.delete(contents).where(eq(contents.id, row.id));
    return { target: row.id, result: null };
  });
  return deleted("content", row.id);
}
