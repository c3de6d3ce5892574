import { newId } from "#contract/ids.ts";
import { type Deleted, deleted } from "#contract/list.ts";
import {
  type SavedViewList,
  type View,
  type ViewCreate,
  type ViewQuery,
  viewLimits,
  viewRoutes,
} from "#contract/views.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { findOwn, lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, isNull, or } from "#gateway/platform/database/drizzle.ts";
import { views } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";

type ViewRow = typeof views.$inferSelect;

/** Filters of lists under names, shared in the account or for one member. */
export function installViews(app: App, context: WorkspaceContext): void {
  serve(app, context, viewRoutes, {
    "GET /views": ({ caller, query }) => listViews(context, caller.actor, query),
    "POST /views": ({ caller, body }) => createView(context, caller, body),
    "DELETE /views/{id}": ({ caller, params }) => deleteView(context, caller, params.id),
  });
}

/** The views that the account shares and those of the caller, by name. */
async function listViews(
  { database }: WorkspaceContext,
  { accountId, userId }: Actor,
  { list }: ViewQuery,
): Promise<SavedViewList> {
  const rows = await database.queries
    .select()
    .from(views)
    .where(
      and(
        eq(views.accountId, accountId),
        or(isNull(views.userId), eq(views.userId, userId ?? "")),
        list === undefined ? undefined : eq(views.list, list),
      ),
    )
    .orderBy(asc(views.name), asc(views.id));
  return { object: "list", data: rows.map(viewOf) };
}

/** Saves a view. Throws `role_not_allowed`, `view_exists` and `too_many_views`. */
function createView(context: WorkspaceContext, caller: Caller, input: ViewCreate): Promise<View> {
  const { actor } = caller;
  const { accountId } = actor;
  const userId = input.shared ? null : actor.userId;
  return audited(context, caller, "view.created", async (queries) => {
    if (userId === null) await assertPermitted(queries, actor, "views:share");
    const values = { accountId, userId, list: input.list, name: input.name.trim(), filters: input.filters };
    await assertRoom(queries, values);
    const [row] = await queries
      .insert(views)
      .values({ id: newId("view"), ...values })
      .returning();
    if (!row) throw new ApiError("internal_error", "The view was not saved.");
    return {
      target: row.id,
      detail: { name: row.name, list: row.list, shared: userId === null },
      result: viewOf(row),
    };
  });
}

/** Views of an owner are saved one at a time, so that names stay unique and their number within the limit. */
async function assertRoom(
  queries: Queries,
  { accountId, userId, list, name }: Pick<ViewRow, "accountId" | "userId" | "list" | "name">,
): Promise<void> {
  await lockName(queries, `views of ${accountId} ${userId}`);
  const own = and(
    eq(views.accountId, accountId),
    userId === null ? isNull(views.userId) : eq(views.userId, userId),
  );
  const sameName = and(own, eq(views.list, list), eq(views.name, name));
  if ((await queries.$count(views, sameName)) > 0)
    throw new ApiError("view_exists", `There is a view “${name}” already. Choose another name.`, {
      param: "name",
    });
  if ((await queries.$count(views, own)) >= viewLimits.perOwner)
    throw new ApiError(
      "too_many_views",
      `${userId === null ? "An account shares" : "A member keeps"} at most ${viewLimits.perOwner} views. Delete one first.`,
    );
}

/** Deletes the caller's own view or a shared one. Throws `view_not_found` and `role_not_allowed`. */
function deleteView(context: WorkspaceContext, caller: Caller, id: string): Promise<Deleted> {
  const { actor } = caller;
  const { accountId, userId } = actor;
  return audited(context, caller, "view.deleted", async (queries) => {
    const also = or(isNull(views.userId), eq(views.userId, userId ?? ""));
    const row = await findOwn(
      queries,
      views,
      { accountId, id, also, lock: "update" },
      () => new ApiError("view_not_found", `There is no view ${id}. It may have been deleted.`),
    );
    if (row.userId === null) await assertPermitted(queries, actor, "views:share");
    await queries.delete(views).where(eq(views.id, id));
    return {
      target: id,
      detail: { name: row.name, list: row.list, shared: row.userId === null },
      result: deleted("view", id),
    };
  });
}

function viewOf({ id, list, name, filters, userId, createdAt }: ViewRow): View {
  return {
    id,
    object: "view",
    list,
    name,
    filters,
    shared: userId === null,
    created_at: createdAt.toISOString(),
  };
}
