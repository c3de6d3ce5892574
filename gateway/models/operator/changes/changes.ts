import type { AuditRow } from "#contract/audit.ts";
import { byName } from "#contract/by-name.ts";
import { isId } from "#contract/ids.ts";
import type { List, PageQuery } from "#contract/list.ts";
import type { ConfigurationChange } from "#contract/operator/changes.ts";
import { changeRoutes } from "#contract/routes/operator.ts";
import { auditRowView } from "#gateway/access/accounts/list-audit-logs.ts";
import type { Context } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc, eq, getTableColumns, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { auditLogs, configurationChanges } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { changeConfiguration } from "../change.ts";
import { restoreImport } from "../file/restore.ts";
import { restoreModel } from "../models/restore.ts";
import { restoreProvider } from "../providers/restore.ts";
import { restoreRoutes } from "../routes/restore.ts";
import type { Restore } from "./undoing.ts";

/** What operators have changed, and how to take it back. */
export function installOperatorChanges(app: App, context: Context): void {
  serve(app, context, changeRoutes, {
    "GET /operator/changes": (request) => listChanges(context.database.queries, request.query),
    "POST /operator/changes/{id}/undo": (request) => undoChange(context, request.caller, request.params.id),
  });
}

type Row = typeof auditLogs.$inferSelect;

/** What was changed in the configuration, by all operators, newest first. */
async function listChanges(queries: Queries, query: PageQuery): Promise<List<ConfigurationChange>> {
  const page = keyset("audit", configurationChanges.id, query, []);
  const rows = await select(queries, page.where).orderBy(page.order).limit(page.limit);
  const histories = await readHistories(
    queries,
    rows.map(({ id }) => id),
  );
  return withTotal(
    queries,
    page,
    listOf(page, rows, (row) => changeView(row, histories)),
  );
}

/** One change; null if there is none. */
async function findChange(queries: Queries, id: string): Promise<Row | null> {
  const [row] = await select(queries, eq(configurationChanges.id, id));
  return row ?? null;
}

function changeView(row: Row, histories: Histories): ConfigurationChange {
  const audit: AuditRow = auditRowView(row);
  return { ...audit, undoable: isRestorable(row.action) && histories.isOpen(row.id) };
}

function select(queries: Queries, where: SQL | undefined) {
  return queries
    .select(getTableColumns(auditLogs))
    .from(configurationChanges)
    .innerJoin(auditLogs, eq(auditLogs.id, configurationChanges.id))
    .where(where)
    .$dynamic();
}

/**
 * Brings back what was before a change; that is a change of its own, and undoing it redoes the first. Each thing is undone
 * from its newest change backwards. Throws `change_not_found`, and `change_not_undoable` out of that order.
 */
async function undoChange(context: Context, caller: Caller, id: string): Promise<ConfigurationChange> {
  let undone: ConfigurationChange | undefined;
  await changeConfiguration(context, caller, async (queries) => {
    const change = isId("audit", id) ? await findChange(queries, id) : null;
    if (!change) throw new ApiError("change_not_found", `There is no change "${id}".`);
    const restore = restorerOf(change.action);
    if (!restore)
      throw new ApiError("change_not_undoable", `A change like ${change.action} cannot be undone.`);
    if (!(await readHistories(queries, [id])).isOpen(id))
      throw new ApiError(
        "change_not_undoable",
        "It was undone already, or the same thing was changed since. Undo the newest change of it first.",
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

/** By the first word of the change's action. */
const restorers = byName<Restore>({
  configuration: restoreImport,
  model: restoreModel,
  provider: restoreProvider,
  routes: restoreRoutes,
});

function restorerOf(action: string): Restore | undefined {
  return restorers[action.split(".")[0] ?? ""];
}

function isRestorable(action: string): boolean {
  return restorerOf(action) !== undefined;
}

/** A change as the history of its things reads it. */
interface HistoryRow {
  id: string;
  targetId: string;
  /** The things that it changed, by their ids; null in rows of before: then it is its target, as a whole. */
  touches: string[] | null;
  /** The change that it took back. */
  undoes: string | null;
}

/** The changes of one thing that are in force, and those that were undone; the next to undo and to redo stand last. */
interface History {
  done: string[];
  undone: string[];
}

/** Which changes can be undone or redone now. Each thing has a history of its own: any other change ends its redoing. */
class Histories {
  readonly #ofThing = new Map<string, History>();
  readonly #thingsOfTarget = new Map<string, Set<string>>();
  readonly #things = new Map<string, readonly string[]>();

  /** `rows`: all changes of the things in question, oldest first. */
  constructor(rows: readonly HistoryRow[]) {
    for (const row of rows) this.#add(row);
  }

  /** Every thing that the change touched is as the change left it. */
  isOpen(id: string): boolean {
    const things = this.#things.get(id) ?? [];
    const stands = (side: keyof History) => things.every((thing) => this.#of(thing)[side].at(-1) === id);
    return things.length > 0 && (stands("done") || stands("undone"));
  }

  #add({ id, targetId, touches, undoes }: HistoryRow): void {
    const known = this.#thingsOfTarget.get(targetId) ?? new Set();
    this.#thingsOfTarget.set(targetId, known);
    const things = touches ?? [targetId];
    // Which things of its target it changed is not known, so it may be any.
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

/** The histories that decide about these changes. */
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
