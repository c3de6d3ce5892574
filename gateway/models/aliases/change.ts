import { type Alias, type AliasCreate, type AliasUpdate, goOnReasons } from "#contract/aliases.ts";
import type { AuditAction } from "#contract/audit.ts";
import { newId } from "#contract/ids.ts";
import type { Deleted } from "#contract/list.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, or } from "#gateway/platform/database/drizzle.ts";
import { aliases } from "#gateway/platform/database/schema.ts";
import { type AliasRow, aliasChannel } from "./book.ts";
import { checkCount, checkModels, checkName, lockAliases } from "./check.ts";
import { aliasView } from "./view.ts";

/** Names models. Throws `operator_required`, `invalid_parameter`, `alias_exists` and `too_many_aliases`. */
export async function createAlias(context: Context, caller: Caller, create: AliasCreate): Promise<Alias> {
  const { actor } = caller;
  const accountId = create.for_everyone ? null : actor.accountId;
  refuseOthers(caller, accountId);
  checkModels(context, accountId, create.models);
  const row = await change(context, caller, accountId, "alias.created", async (queries) => {
    await checkCount(queries, accountId);
    const values = {
      id: newId("alias"),
      accountId,
      name: create.name,
      models: create.models,
      goOnWhen: create.go_on_when ?? [...goOnReasons],
      continueStreams: create.continue_streams ?? false,
    };
    await checkName(context, queries, values);
    const [made] = await queries.insert(aliases).values(values).returning();
    if (!made) throw new ApiError("internal_error", "The alias was not saved.");
    return { row: made, before: null, after: made };
  });
  return aliasView(context, actor.accountId, row);
}

/** Throws as `createAlias`, and `alias_not_found`. */
export async function updateAlias(
  context: Context,
  caller: Caller,
  id: string,
  update: AliasUpdate,
): Promise<Alias> {
  const { accountId } = await findAlias(context.database.queries, caller, id);
  if (update.models) checkModels(context, accountId, update.models);
  const row = await change(context, caller, accountId, "alias.updated", async (queries) => {
    const before = await findAlias(queries, caller, id);
    if (update.name !== undefined) await checkName(context, queries, { ...before, name: update.name });
    const [after] = await queries
      .update(aliases)
      .set({
        ...(update.name !== undefined && { name: update.name }),
        ...(update.models && { models: update.models }),
        ...(update.go_on_when && { goOnWhen: update.go_on_when }),
        ...(update.continue_streams !== undefined && { continueStreams: update.continue_streams }),
        updatedAt: clock.date(),
      })
      .where(eq(aliases.id, id))
      .returning();
    if (!after) throw new ApiError("internal_error", "The alias was not saved.");
    return { row: after, before, after };
  });
  return aliasView(context, caller.actor.accountId, row);
}

/** Throws `alias_not_found`. */
export async function deleteAlias(context: Context, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = await findAlias(context.database.queries, caller, id);
  await change(context, caller, accountId, "alias.deleted", async (queries) => {
    const before = await findAlias(queries, caller, id);
    await queries.delete(aliases).where(eq(aliases.id, id));
    return { row: before, before, after: null };
  });
  return { id, object: "alias", deleted: true };
}

/** One of the caller's account, or everyone's. */
async function findAlias(queries: Queries, caller: Caller, id: string): Promise<AliasRow> {
  const [row] = await queries
    .select()
    .from(aliases)
    .where(
      and(eq(aliases.id, id), or(isNull(aliases.accountId), eq(aliases.accountId, caller.actor.accountId))),
    );
  if (!row) throw new ApiError("alias_not_found", `There is no alias ${id}. It may have been deleted.`);
  refuseOthers(caller, row.accountId);
  return row;
}

/** Everyone's are the operators'. */
function refuseOthers({ actor }: Caller, accountId: string | null): void {
  if (accountId === null && !actor.isOperator)
    throw new ApiError("operator_required", "Only operators change aliases that are for everyone.");
}

interface Change {
  row: AliasRow;
  before: AliasRow | null;
  after: AliasRow | null;
}

/** A change with its audit row; every process knows of it once it is committed. */
async function change(
  context: Context,
  { actor, ip, requestId }: Caller,
  accountId: string | null,
  action: AuditAction,
  work: (queries: Queries) => Promise<Change>,
): Promise<AliasRow> {
  const row = await context.database.transaction(async (queries) => {
    await lockAliases(queries, accountId);
    const { row, before, after } = await work(queries);
    const detail = {
      name: row.name,
      for_everyone: accountId === null,
      before: before && shown(before),
      after: after && shown(after),
    };
    const entry = { accountId: actor.accountId, actor, action, targetId: row.id, detail, ip, requestId };
    await recordAudit(queries, entry);
    return row;
  });
  context.aliases.forget(accountId);
  context.database.notify(aliasChannel, accountId ?? "");
  return row;
}

function shown({ name, models, goOnWhen, continueStreams }: AliasRow) {
  return { name, models, go_on_when: goOnWhen, continue_streams: continueStreams };
}
