import type { AuditRow } from "#contract/audit.ts";
import { byName } from "#contract/by-name.ts";
import type { RegionName } from "#contract/catalog.ts";
import { isId } from "#contract/ids.ts";
import type { List, PageQuery } from "#contract/list.ts";
import { type ConfigurationChange, changeRoutes } from "#contract/operator/changes.ts";
import type { ProviderSettings } from "#contract/operator/providers.ts";
import { auditRowView } from "#gateway/access/accounts/audit.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc, eq, getTableColumns, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { auditLogs, configurationChanges, providerConnections } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { type Changed, changeConfiguration } from "../change.ts";
import { type AliasStates, announcing, restoreAliases } from "../file/aliases.ts";
import { type PriceStates, restorePrices } from "../file/prices.ts";
import { restoreModel } from "../models/revisions.ts";
import { letGo } from "../providers/connect.ts";
import { renameProvider, takeName } from "../providers/names.ts";
import type { ConnectionRow } from "../providers/read-connections.ts";
import { auditView } from "../providers/view.ts";
import { readRouteRows } from "../routes/read-routes.ts";
import {
  routesChanged,
  routesOfSnapshot,
  touchedRoutes,
  withFormerRoutes,
  writeRoutes,
} from "../routes/replace.ts";

/** The changes that operators made, and how to undo them. */
export function installOperatorChanges(app: App, context: ModelsContext): void {
  serve(app, context, changeRoutes, {
    "GET /operator/changes": (request) => listChanges(context.database.queries, request.query),
    "POST /operator/changes/{id}/undo": (request) => undoChange(context, request.caller, request.params.id),
  });
}

type Row = typeof auditLogs.$inferSelect;

/** The configuration changes of all operators, newest first. */
function listChanges(queries: Queries, query: PageQuery): Promise<List<ConfigurationChange>> {
  const page = keyset("audit", configurationChanges.id, query, []);
  return readPage(queries, page, select(queries), async (rows) => {
    const histories = await readHistories(
      queries,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => changeView(row, histories));
  });
}

/** One change; null if there is none. */
async function findChange(queries: Queries, id: string): Promise<Row | null> {
  const [row] = await select(queries).where(eq(configurationChanges.id, id));
  return row ?? null;
}

function changeView(row: Row, histories: Histories): ConfigurationChange {
  const audit: AuditRow = auditRowView(row);
  return { ...audit, undoable: isRestorable(row.action) && histories.isOpen(row.id) };
}

function select(queries: Queries) {
  return queries
    .select(getTableColumns(auditLogs))
    .from(configurationChanges)
    .innerJoin(auditLogs, eq(auditLogs.id, configurationChanges.id))
    .$dynamic();
}

/**
 * Undoes a change. The undo is itself a change, and undoing that redoes the first. Changes of each object are
 * undone from the newest backwards. Throws `change_not_found`, and `change_not_undoable` out of that order.
 */
async function undoChange(context: ModelsContext, caller: Caller, id: string): Promise<ConfigurationChange> {
  let undone: ConfigurationChange | undefined;
  await changeConfiguration(context, caller, async (queries) => {
    const change = isId("audit", id) ? await findChange(queries, id) : null;
    if (!change)
      throw new ApiError(
        "change_not_found",
        `There is no change "${id}". GET /v1/operator/changes lists them.`,
      );
    const restore = restorerOf(change.action);
    if (!restore)
      throw new ApiError(
        "change_not_undoable",
        `A change of the kind ${change.action} cannot be undone. Make the opposite change instead.`,
      );
    if (!(await readHistories(queries, [id])).isOpen(id))
      throw new ApiError(
        "change_not_undoable",
        "This change was already undone, or the same object was changed again later. Undo the newest change first.",
      );
    const { before = null, after = null } = (change.detail ?? {}) as Record<
      "before" | "after",
      Record<string, unknown> | null
    >;
    const { action, targetId } = change;
    const undoing = { id, action, targetId: targetId ?? "", before, after };
    const restored = await restore(context, queries, undoing);
    return {
      ...restored,
      undoes: id,
      async finish(changeId) {
        await restored.finish?.(changeId);
        const row = await findChange(queries, changeId);
        undone = row ? changeView(row, await readHistories(queries, [changeId])) : undefined;
      },
    };
  });
  if (!undone) throw new Error("The undo was not saved");
  return undone;
}

/** A change to be undone, from its audit row. */
interface Undoing {
  id: string;
  action: string;
  targetId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

type Side = Undoing["before"];

interface Restored {
  ids: string[];
  /** By id, before and after the change; missing objects are left out. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  finishes: NonNullable<Changed<void>["finish"]>[];
}

/** Restores the state before a change, in the transaction of the new change. Throws `change_not_undoable`. */
type Restore = (context: ModelsContext, queries: Queries, change: Undoing) => Promise<Changed<void>>;

/** By the first word of the change's action. */
const restorers = byName<Restore>({
  configuration: restoreImport,
  model: restoreModel,
  provider: restoreProvider,
  routes: restoreRoutes,
});

/**
 * Restores the routes that a change touched; all others stay. A route whose provider has been deleted has a
 * problem, and serves nothing.
 */
async function restoreRoutes(_: ModelsContext, queries: Queries, change: Undoing): Promise<Changed<void>> {
  const before = routesOfSnapshot(change.before ?? { routes: [] });
  const after = routesOfSnapshot(change.after ?? { routes: [] });
  const rows = await readRouteRows(queries);
  const touches = touchedRoutes(before, after);
  const current = rows.map(({ id, entry }) => ({ id, entry }));
  await writeRoutes(queries, rows, withFormerRoutes(current, before, new Set(touches)));
  return { ...routesChanged(rows, await readRouteRows(queries)), touches };
}

/**
 * Restores a provider to its state before a change. Its former keys stay in the row for a day. Throws
 * `change_not_undoable`.
 */
async function restoreProvider(
  context: ModelsContext,
  queries: Queries,
  change: Undoing,
): Promise<Changed<void>> {
  const row = await keptProvider(queries, change.targetId);
  const { targetId, before, after } = change;
  if (before === null) {
    await letGo(queries, row);
    return { action: "provider.deleted", targetId, before: auditView(row), after: null, result: undefined };
  }
  if (after === null) {
    await bringBackProvider(queries, row);
    return { action: "provider.created", targetId, before: null, after: auditView(row), result: undefined };
  }
  const { name } = before as { name: string };
  if (name !== row.name) await renameProvider(context, queries, row, name);
  const [now = row] = await queries
    .update(providerConnections)
    .set({
      baseUrl: before.base_url as string | null,
      baseUrls: before.base_urls as Partial<Record<RegionName, string>>,
      allowPrivate: before.allow_private as boolean,
      settings: before.settings as ProviderSettings,
      ...(after.keys_changed_at !== undefined && { credentials: formerCredentials(row, change.id) }),
      updatedAt: sql`now()`,
    })
    .where(eq(providerConnections.id, row.id))
    .returning();
  return {
    action: "provider.updated",
    targetId,
    before: auditView(row),
    after: auditView(now, after.keys_changed_at === undefined ? undefined : now.updatedAt),
    finish: async (ownId) => {
      if (after.keys_changed_at === undefined) return;
      const former = { at: now.updatedAt.toISOString(), credentials: row.credentials };
      await queries
        .update(providerConnections)
        .set({ formerCredentials: { ...row.formerCredentials, [ownId]: former } })
        .where(eq(providerConnections.id, row.id));
    },
    result: undefined,
  };
}

/** A provider's row, even if it was deleted. Throws `change_not_undoable` if it has been erased. */
async function keptProvider(queries: Queries, id: string): Promise<ConnectionRow> {
  const [row] = await queries.select().from(providerConnections).where(eq(providerConnections.id, id));
  if (row) return row;
  throw new ApiError(
    "change_not_undoable",
    "This provider was erased a day after it was deleted, with its keys. Connect it again.",
  );
}

/** Puts a deleted provider back into use. Throws `provider_exists` if another provider now has its name. */
async function bringBackProvider(queries: Queries, row: ConnectionRow): Promise<void> {
  if (row.goneAt !== null) await takeName(queries, row.name, row.id);
  await queries
    .update(providerConnections)
    .set({ leavingAt: null, goneAt: null })
    .where(eq(providerConnections.id, row.id));
}

function formerCredentials(row: ConnectionRow, changeId: string): ConnectionRow["credentials"] {
  const former = row.formerCredentials[changeId];
  if (former) return former.credentials;
  throw new ApiError(
    "change_not_undoable",
    "The former key was erased a day after it was replaced. Enter it again.",
  );
}

/**
 * Restores routes, providers, models, aliases and prices to their state before an import, or before an undo of one. Throws
 * `change_not_undoable`.
 */
async function restoreImport(
  context: ModelsContext,
  queries: Queries,
  change: Undoing,
): Promise<Changed<void>> {
  const providers = await restoreAll(change, "providers", (one) => restoreProvider(context, queries, one));
  const models = await restoreAll(change, "models", (one) => restoreModel(context, queries, one));
  const aliases = await restoreAliases(queries, {
    before: partOf(change.before, "aliases") as AliasStates,
    after: partOf(change.after, "aliases") as AliasStates,
  });
  const prices = await restorePrices(queries, {
    before: partOf(change.before, "prices") as PriceStates,
    after: partOf(change.after, "prices") as PriceStates,
  });
  const routes = await restoreRoutes(context, queries, change);
  const wasImport = change.action === "configuration.imported";
  return {
    ...routes,
    touches: [
      ...(routes.touches ?? []),
      ...providers.ids,
      ...models.ids,
      ...Object.keys({ ...aliases.before, ...aliases.after, ...prices.before, ...prices.after }),
    ],
    before: {
      ...routes.before,
      providers: providers.before,
      models: models.before,
      aliases: aliases.before,
      prices: prices.before,
    },
    after: {
      ...routes.after,
      providers: providers.after,
      models: models.after,
      aliases: aliases.after,
      prices: prices.after,
    },
    committed: announcing(context, aliases),
    action: wasImport ? "configuration.import_undone" : "configuration.imported",
    async finish(changeId) {
      for (const finish of providers.finishes) await finish(changeId);
    },
  };
}

/** Restores each provider or model as a separate change. */
async function restoreAll(
  change: Undoing,
  kind: "providers" | "models",
  restore: (one: Undoing) => Promise<Changed<void>>,
): Promise<Restored> {
  const [was, is] = [partOf(change.before, kind), partOf(change.after, kind)];
  const ids = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const restored: Restored = { ids, before: {}, after: {}, finishes: [] };
  for (const id of ids) {
    const one = { ...change, targetId: id, before: was[id] ?? null, after: is[id] ?? null };
    const { before, after, finish } = await restore(one);
    if (before) restored.before[id] = before;
    if (after) restored.after[id] = after;
    if (finish) restored.finishes.push(finish);
  }
  return restored;
}

function partOf(side: Side, kind: string): Record<string, Side> {
  return (side?.[kind] ?? {}) as Record<string, Side>;
}

function restorerOf(action: string): Restore | undefined {
  return restorers[action.split(".")[0] ?? ""];
}

function isRestorable(action: string): boolean {
  return restorerOf(action) !== undefined;
}

/** The parts of a change that the histories of its objects need. */
interface HistoryRow {
  id: string;
  targetId: string;
  /**
   * The ids of the objects that the change affected. Null in rows of earlier releases, which recorded only
   * the target.
   */
  touches: string[] | null;
  /** The id of the change that it undid. */
  undoes: string | null;
}

/** The changes of one object that are in force, and the undone ones; the next to undo or redo is the last. */
interface History {
  done: string[];
  undone: string[];
}

/**
 * Decides which changes can be undone or redone now. Each object has its own history; a new change clears its
 * redo list.
 */
class Histories {
  readonly #ofThing = new Map<string, History>();
  readonly #idsOfTarget = new Map<string, Set<string>>();
  readonly #things = new Map<string, readonly string[]>();

  /** `rows`: all changes of these objects, oldest first. */
  constructor(rows: readonly HistoryRow[]) {
    for (const row of rows) this.#add(row);
  }

  /** Whether every object is still in the state that this change left. */
  isOpen(id: string): boolean {
    const things = this.#things.get(id) ?? [];
    const stands = (side: keyof History) => things.every((thing) => this.#of(thing)[side].at(-1) === id);
    return things.length > 0 && (stands("done") || stands("undone"));
  }

  #add({ id, targetId, touches, undoes }: HistoryRow): void {
    const known = this.#idsOfTarget.get(targetId) ?? new Set();
    this.#idsOfTarget.set(targetId, known);
    const things = touches ?? [targetId];
    // An earlier release did not record the affected objects, so the change is treated as one of all known
    // objects.
    if (touches === null) for (const thing of known) if (thing !== targetId) this.#ofThing.delete(thing);
    this.#things.set(id, things);
    for (const thing of new Set([...things, targetId])) {
      known.add(thing);
      const history = this.#of(thing);
      if (undoes !== null && history.done.at(-1) === undoes) {
        history.done.pop();
        history.undone.push(id);
      } else if (undoes !== null && history.undone.at(-1) === undoes) {
        history.undone.pop();
        history.done.push(id);
      } else {
        history.done.push(id);
        history.undone = [];
      }
    }
  }

  #of(thing: string): History {
    const known = this.#ofThing.get(thing);
    if (known) return known;
    const fresh = { done: [], undone: [] };
    this.#ofThing.set(thing, fresh);
    return fresh;
  }
}

/** The histories needed to decide about these changes. */
async function readHistories(queries: Queries, ids: readonly string[]): Promise<Histories> {
  if (ids.length === 0) return new Histories([]);
  const { id, targetId, touches, undoes } = configurationChanges;
  const wanted = await queries
    .select({ targetId, touches })
    .from(configurationChanges)
    .where(inArray(id, [...ids]));
  const things = [...new Set(wanted.flatMap((row) => [row.targetId, ...(row.touches ?? [])]))];
  const named = sql.param(things);
  const rows = await queries
    .select({ id, targetId, touches, undoes })
    .from(configurationChanges)
    .where(sql`${targetId} = any(${named}::text[]) or ${touches} && ${named}::text[]`)
    .orderBy(asc(id));
  return new Histories(rows);
}
