import { aliasLimits, goOnReasons } from "#contract/alias-constants.ts";
import { type Alias, type AliasCreate, type AliasUpdate, aliasRoutes } from "#contract/aliases.ts";
import type { AuditAction } from "#contract/audit.ts";
import { newId } from "#contract/ids.ts";
import { type Deleted, deleted } from "#contract/list.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, ne, or } from "#gateway/platform/database/drizzle.ts";
import { aliases } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { type AliasRow, aliasChannel } from "./book.ts";

export function installAliases(app: App, context: ModelsContext): void {
  serve(app, context, aliasRoutes, {
    "GET /aliases": async ({ caller }) => {
      const { accountId } = caller.actor;
      const rows = await context.aliases.list(accountId);
      return { object: "list" as const, data: rows.map((row) => aliasView(context, accountId, row)) };
    },
    "POST /aliases": ({ caller, body }) => createAlias(context, caller, body),
    "PATCH /aliases/{id}": ({ caller, params, body }) => updateAlias(context, caller, params.id, body),
    "DELETE /aliases/{id}": ({ caller, params }) => deleteAlias(context, caller, params.id),
  });
}

/** Aliases only name models, so their functions get no access to providers or the store. */
type AliasContext = Pick<ModelsContext, "database" | "catalog" | "aliases">;

function aliasView({ catalog }: AliasContext, accountId: string, row: AliasRow): Alias {
  return {
    id: row.id,
    object: "alias",
    name: row.name,
    models: row.models,
    go_on_when: row.goOnWhen,
    continue_streams: row.continueStreams,
    for_everyone: row.accountId === null,
    unavailable: row.models.filter((id) => !catalog.has(id, accountId)),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/**
 * Creates an alias. Throws `operator_required`, `invalid_parameter`, `alias_exists` and `too_many_aliases`.
 */
async function createAlias(context: AliasContext, caller: Caller, create: AliasCreate): Promise<Alias> {
  const { actor } = caller;
  const accountId = create.for_everyone ? null : actor.accountId;
  refuseOthers(caller, accountId);
  checkModels(kindsOf(context, accountId), create.models);
  const row = await change(context, caller, accountId, "alias.created", async (queries) => {
    await checkCount(queries, accountId);
    const values = newAlias(accountId, create);
    await checkName(context, queries, values);
    const [made] = await queries.insert(aliases).values(values).returning();
    if (!made) throw new ApiError("internal_error", "The alias was not saved.");
    return { row: made, before: null, after: made };
  });
  return aliasView(context, actor.accountId, row);
}

export function newAlias(accountId: string | null, create: Omit<AliasCreate, "for_everyone">) {
  return {
    id: newId("alias"),
    accountId,
    name: create.name,
    models: create.models,
    goOnWhen: create.go_on_when ?? [...goOnReasons],
    continueStreams: create.continue_streams ?? false,
  };
}

/** Throws the errors of `createAlias`, and `alias_not_found`. */
async function updateAlias(
  context: AliasContext,
  caller: Caller,
  id: string,
  update: AliasUpdate,
): Promise<Alias> {
  const { accountId } = await findAlias(context.database.queries, caller, id);
  if (update.models) checkModels(kindsOf(context, accountId), update.models);
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
async function deleteAlias(context: AliasContext, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = await findAlias(context.database.queries, caller, id);
  await change(context, caller, accountId, "alias.deleted", async (queries) => {
    const before = await findAlias(queries, caller, id);
    await queries.delete(aliases).where(eq(aliases.id, id));
    return { row: before, before, after: null };
  });
  return deleted("alias", id);
}

/** An alias of the caller's account, or a shared one. */
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

/** Only operators change shared aliases. */
function refuseOthers({ actor }: Caller, accountId: string | null): void {
  if (accountId === null && !actor.isOperator)
    throw new ApiError("operator_required", "Only operators change aliases that are for everyone.");
}

interface Change {
  row: AliasRow;
  before: AliasRow | null;
  after: AliasRow | null;
}

/** Makes a change and its audit row in one transaction. All processes are notified when it commits. */
async function change(
  context: AliasContext,
  caller: Caller,
  accountId: string | null,
  action: AuditAction,
  work: (queries: Queries) => Promise<Change>,
): Promise<AliasRow> {
  const row = await audited(context, caller, action, async (queries) => {
    await lockAliases(queries, accountId);
    const { row, before, after } = await work(queries);
    const detail = {
      name: row.name,
      for_everyone: accountId === null,
      before: before && stateOfAlias(before),
      after: after && stateOfAlias(after),
    };
    return { target: row.id, detail, result: row };
  });
  announceAliases(context, accountId);
  return row;
}

/** Locks one owner's aliases: concurrent changes could otherwise duplicate a name or exceed the limit. */
export function lockAliases(queries: Queries, accountId: string | null): Promise<void> {
  return lockName(queries, `aliases of ${accountId ?? "everyone"}`);
}

/** Tells all processes, after the commit, that an owner's aliases have changed. */
export function announceAliases(
  { aliases, database }: Pick<ModelsContext, "aliases" | "database">,
  accountId: string | null,
): void {
  aliases.forget(accountId);
  database.notify(aliasChannel, accountId ?? "");
}

/** An alias in the audit log, enough to restore it. */
export type AliasState = ReturnType<typeof stateOfAlias>;

export function stateOfAlias(row: Pick<AliasRow, "name" | "models" | "goOnWhen" | "continueStreams">) {
  const { name, models, goOnWhen, continueStreams } = row;
  return { name, models, go_on_when: goOnWhen, continue_streams: continueStreams };
}

type Named = Pick<AliasRow, "id" | "accountId" | "name">;

/** The aliases of one account, or the shared ones. */
export function owned(accountId: string | null) {
  return accountId === null ? isNull(aliases.accountId) : eq(aliases.accountId, accountId);
}

/** The operations of a model; undefined if the users of an alias do not have it. */
export type KindsOf = (model: string) => readonly string[] | undefined;

function kindsOf({ catalog }: AliasContext, accountId: string | null): KindsOf {
  return (id) => catalog.model(id, accountId)?.api_types;
}

/**
 * Throws `invalid_parameter` for a model that the alias's users do not have, and for models without a common
 * operation. An alias for embeddings has exactly one model.
 */
export function checkModels(kindsOf: KindsOf, models: readonly string[]): void {
  let common: readonly string[] | null = null;
  for (const [at, id] of models.entries()) {
    const kinds = kindsOf(id);
    if (!kinds)
      throw invalidParameter(
        `models[${at}]`,
        `models[${at}] is "${id}", which is not a model. GET /v1/models lists them.`,
      );
    const before: readonly string[] = common ?? kinds;
    common = before.filter((kind) => kinds.includes(kind));
    if (common.length === 0)
      throw invalidParameter(
        `models[${at}]`,
        `models[${at}] is ${id} (${kinds.join(", ")}), which has no operation in common with those before it (${before.join(", ")}).`,
      );
    if (at > 0 && common.every((kind) => kind === "embeddings"))
      throw invalidParameter(
        `models[${at}]`,
        `models[${at}] makes embeddings: an alias for them names one model, since vectors of different models cannot be compared. Give the model several routes instead.`,
      );
  }
}

/** Throws `alias_exists` if the name belongs to a model, or to another alias of the same owner. */
async function checkName(
  context: AliasContext,
  queries: Queries,
  { id, accountId, name }: Named,
): Promise<void> {
  const taken = (what: string) =>
    new ApiError("alias_exists", `${name} is already the name of ${what}. Choose another name.`, {
      param: "name",
    });
  if (context.catalog.has(name, accountId)) throw taken("a model");
  const [other] = await queries
    .select({ id: aliases.id })
    .from(aliases)
    .where(and(owned(accountId), eq(aliases.name, name), ne(aliases.id, id)));
  if (other) throw taken(`the alias ${other.id}`);
}

/** Throws `too_many_aliases`. */
async function checkCount(queries: Queries, accountId: string | null): Promise<void> {
  if ((await queries.$count(aliases, owned(accountId))) < aliasLimits.perAccount) return;
  throw new ApiError(
    "too_many_aliases",
    `There are at most ${aliasLimits.perAccount} aliases. Delete one first.`,
  );
}
