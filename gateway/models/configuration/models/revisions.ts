import { isDeepStrictEqual } from "node:util";
import type {
  OperatorModel,
  OperatorModelRevision,
  OperatorModelRevisionList,
} from "#contract/operator/models.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { asPublished, everyone, type OfferedEntry } from "#gateway/models/catalog/entry.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq } from "#gateway/platform/database/drizzle.ts";
import { ownModelRevisions } from "#gateway/platform/database/schema.ts";
import { type Changed, changeConfiguration } from "../change.ts";
import { checkEntry } from "./change-entry.ts";
import { contentView, findModel } from "./model-view.ts";
import { type ModelState, released, saveContent, saveOffered, saveSettings, stateOf } from "./states.ts";
import { asRevision, countRunning, findOwnModel, noSuchModel, type RevisionRow } from "./stored-models.ts";

/** The revisions of an entry, newest first. Throws `model_not_found`. */
export async function listRevisions(
  { database }: ModelsContext,
  id: string,
): Promise<OperatorModelRevisionList> {
  const { queries } = database;
  const own = await findOwnModel(queries, id);
  if (!own || own.row.leftAt) throw noSuchModel(id);
  const rows = await queries
    .select()
    .from(ownModelRevisions)
    .where(eq(ownModelRevisions.modelId, id))
    .orderBy(desc(ownModelRevisions.revision));
  const running = await countRunning(queries);
  const data = rows.map(asRevision).map(
    (row): OperatorModelRevision => ({
      object: "operator.model_revision",
      model: id,
      revision: row.revision,
      current: row.revision === own.row.revision,
      running_predictions:
        running.find(({ model, revision }) => model === id && revision === row.revision)?.running ?? 0,
      made_by: row.madeBy,
      created_at: row.createdAt.toISOString(),
      ...contentView(row.entry, row.source),
    }),
  );
  return { object: "list", data };
}

/** One revision of an entry. Throws `revision_not_found`. */
export async function findRevision(queries: Queries, id: string, revision: number): Promise<RevisionRow> {
  const [row] = await queries
    .select()
    .from(ownModelRevisions)
    .where(and(eq(ownModelRevisions.modelId, id), eq(ownModelRevisions.revision, revision)));
  if (row) return asRevision(row);
  throw new ApiError(
    "revision_not_found",
    `${id} has no revision ${revision}. GET /v1/operator/models/${id}/revisions lists them.`,
    { param: "revision" },
  );
}

/**
 * Restores an old revision of an entry, as a new revision. Throws `model_not_found` and `revision_not_found`.
 */
export async function restoreRevision(
  context: ModelsContext,
  caller: Caller,
  id: string,
  revision: number,
): Promise<OperatorModel> {
  return changeConfiguration(context, caller, async (queries) => {
    const before = await stateOf(queries, id);
    if (!before || before.revision === null) throw noSuchModel(id);
    await bringBack(queries, caller.actor.name, id, revision);
    return {
      action: "model.updated",
      targetId: id,
      before,
      after: { ...(await stateOf(queries, id)), restored: revision },
      result: await findModel(queries, id),
    };
  });
}

/** Makes an old revision's content the current one, unless it already is. Only within a change. */
export async function bringBack(
  queries: Queries,
  madeBy: string,
  id: string,
  revision: number,
): Promise<void> {
  const own = await findOwnModel(queries, id);
  if (!own) throw noSuchModel(id);
  const { entry, source } = await findRevision(queries, id, revision);
  const again = released(entry, own.content.entry);
  if (again === own.content.entry) return;
  checkEntry(again);
  await saveContent(queries, { entry: again, source, madeBy });
}

/** The states before and after a change, from its audit row. */
interface Undoing {
  targetId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** The author of revisions that an undo makes. */
const byUndoing = "An undone change";

/**
 * Restores an entry to its state before a change. Throws `change_not_undoable` if it is not as the change
 * left it.
 */
export async function restoreModel(
  _: ModelsContext,
  queries: Queries,
  undoing: Undoing,
): Promise<Changed<void>> {
  const { targetId: id } = undoing;
  const current = await stateOf(queries, id);
  if (!(await isSame(queries, id, current, stateIn(undoing.after))))
    throw new ApiError("change_not_undoable", `${id} has been changed again. Undo the newer change first.`);
  const before = stateIn(undoing.before);
  if (before === null) await saveOffered(queries, id, false);
  else {
    if (current === null) await saveOffered(queries, id, true);
    if (before.revision !== null) await bringBack(queries, byUndoing, id, before.revision);
    await saveSettings(queries, id, before);
  }
  const created = current === null ? "model.created" : "model.updated";
  return {
    action: before === null ? "model.deleted" : created,
    targetId: id,
    before: current,
    after: await stateOf(queries, id),
    result: undefined,
  };
}

/** Compares contents, because undoing makes a new revision with the content of an old one. */
async function isSame(queries: Queries, id: string, one: ModelState | null, other: ModelState | null) {
  if (one === null || other === null) return one === other;
  if (!isDeepStrictEqual({ ...one, revision: null }, { ...other, revision: null })) return false;
  if (one.revision === null || other.revision === null) return one.revision === other.revision;
  const before = (await findRevision(queries, id, other.revision)).entry;
  return released((await findRevision(queries, id, one.revision)).entry, before) === before;
}

function stateIn(kept: Record<string, unknown> | null): ModelState | null {
  if (kept === null) return null;
  const { revision, display_name, hidden, accounts } = kept as ModelState;
  return { revision, display_name, hidden, accounts };
}

/** At most this many old revisions are cached in compiled form. */
const maxKept = 100;

const kept = new WeakMap<Database, Map<string, OfferedEntry>>();

interface Run {
  model: string;
  apiType: string;
  entryRevision: number | null;
}

/**
 * The operation of a running prediction in the revision that accepted it, regardless of later changes and of
 * who may see the entry now. Null if there is no such entry.
 */
export async function operationOfRun(
  context: Pick<ModelsContext, "catalog" | "database"> & {
    configuration: Pick<ModelsContext["configuration"], "refresh">;
  },
  { model, apiType, entryRevision }: Run,
): Promise<CompiledOperation | null> {
  const read = () => context.catalog.operation(model, apiType, everyone);
  const known = read();
  if (entryRevision === null || known?.revision === entryRevision) return known;
  // Another process accepted the run with a newer configuration, whose routes the run needs.
  if ((known?.revision ?? 0) < entryRevision) await context.configuration.refresh();
  const current = read();
  if (current?.revision === entryRevision) return current;
  const offered = await oldRevision(context.database, model, entryRevision);
  return offered && context.catalog.operationOf(offered, apiType);
}

async function oldRevision(database: Database, id: string, revision: number): Promise<OfferedEntry | null> {
  const known = kept.get(database) ?? new Map<string, OfferedEntry>();
  kept.set(database, known);
  const key = `${id} ${revision}`;
  const found = known.get(key);
  if (found) return found;
  const row = await findRevision(database.queries, id, revision).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "revision_not_found") return null;
    throw error;
  });
  if (!row) return null;
  const offered = { ...asPublished(row.entry), revision };
  if (known.size >= maxKept) known.clear();
  known.set(key, offered);
  return offered;
}
