import { isDeepStrictEqual } from "node:util";
import { aliasLimits, goOnReasons } from "#contract/alias-constants.ts";
import type { FileChange } from "#contract/operator/file.ts";
import {
  type AliasState,
  announceAliases,
  checkModels,
  type KindsOf,
  lockAliases,
  newAlias,
  owned,
  stateOfAlias,
} from "#gateway/models/aliases/aliases.ts";
import type { AliasRow } from "#gateway/models/aliases/book.ts";
import { everyone } from "#gateway/models/catalog/entry.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { AliasEntry } from "#gateway/models/providers/file/schema.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc, eq } from "#gateway/platform/database/drizzle.ts";
import { aliases } from "#gateway/platform/database/schema.ts";
import { changedMeanwhile, changedSince } from "../change.ts";
import type { ModelsPlan } from "./models.ts";
import { differences } from "./plan-routes.ts";

type Aliases = Record<string, AliasEntry>;

interface PlannedAlias {
  before: AliasRow | null;
  after: ReturnType<typeof newAlias>;
  fields: FileChange["fields"];
}

/** The effect of importing the aliases of a file, which are those for everyone. */
export interface AliasesPlan {
  fresh: PlannedAlias[];
  /** Empty unless the import changes existing aliases to match the file. */
  changed: PlannedAlias[];
  kept: string[];
  problems: string[];
  notes: string[];
}

export const noAliases: AliasesPlan = { fresh: [], changed: [], kept: [], problems: [], notes: [] };

/** The aliases for everyone. One that an import would refuse is left out and named in `notes`. */
export async function exportAliases({
  catalog,
  database,
}: ModelsContext): Promise<{ aliases: Aliases; notes: string[] }> {
  const exported: Aliases = {};
  const notes: string[] = [];
  for (const row of await sharedAliases(database.queries)) {
    const wrong = problemOf((id) => catalog.model(id, null)?.api_types, row.models);
    if (wrong) notes.push(`The alias ${row.name} is left out: ${wrong}`);
    else exported[row.name] = entryOf(row);
  }
  return { aliases: exported, notes };
}

function entryOf({ models, goOnWhen, continueStreams }: AliasRow): AliasEntry {
  const isForAll = goOnReasons.every((reason) => goOnWhen.includes(reason));
  return {
    models,
    ...(!isForAll && { go_on_when: goOnWhen }),
    ...(continueStreams && { continue_streams: true }),
  };
}

/**
 * Plans the import: existing aliases stay unchanged, or with `sets` are changed to match the file. `models`:
 * what the import does to the models that the aliases name. Writes nothing.
 */
export async function planAliases(
  context: ModelsContext,
  given: Aliases,
  models: ModelsPlan,
  sets: boolean,
): Promise<AliasesPlan> {
  const plan: AliasesPlan = { fresh: [], changed: [], kept: [], problems: [], notes: [] };
  if (Object.keys(given).length === 0) return plan;
  const here = new Map((await sharedAliases(context.database.queries)).map((row) => [row.name, row]));
  const kindsOf = kindsAfter(context, models);
  for (const [name, entry] of Object.entries(given)) {
    const before = here.get(name) ?? null;
    const after = before ? changed(before, entry) : newAlias(null, { name, ...entry });
    const fields = before ? differences(stateOfAlias(before), stateOfAlias(after)) : [];
    if (before && (fields.length === 0 || !sets)) {
      plan.kept.push(name);
      if (fields.length > 0)
        plan.notes.push(`The alias ${name} is different in the file. The import does not change it here.`);
      continue;
    }
    const wrong = problemOf(kindsOf, entry.models) ?? (before ? undefined : takenBy(name, kindsOf));
    if (wrong) plan.problems.push(`aliases.${name}: ${wrong}`);
    else plan[before ? "changed" : "fresh"].push({ before, after, fields });
  }
  if (here.size + plan.fresh.length > aliasLimits.perAccount)
    plan.problems.push(
      `aliases: there are at most ${aliasLimits.perAccount} aliases for everyone. ${here.size} are here, and the file adds ${plan.fresh.length}.`,
    );
  return plan;
}

function changed(before: AliasRow, entry: AliasEntry): AliasRow {
  const { models, go_on_when: goOnWhen = before.goOnWhen, continue_streams: continues } = entry;
  return { ...before, models, goOnWhen, continueStreams: continues ?? before.continueStreams };
}

/** The operations of each model that everybody will have after the import. */
function kindsAfter({ catalog }: ModelsContext, { fresh, changed }: ModelsPlan): KindsOf {
  const planned = new Map([...changed, ...fresh].map((one) => [one.id, one.given]));
  const added = new Set(fresh.map(({ id }) => id));
  return (id) => {
    const given = planned.get(id);
    if (given?.accounts) return undefined;
    const isForAll = added.has(id) || given?.accounts === null;
    const known = catalog.model(id, isForAll ? everyone : null);
    const kinds = given?.entry?.operations.map(({ api_type: kind }) => kind);
    return isForAll ? (kinds ?? known?.api_types) : known?.api_types;
  };
}

function takenBy(name: string, kindsOf: KindsOf): string | undefined {
  return kindsOf(name) && "is already the name of a model. Choose another name.";
}

function problemOf(kindsOf: KindsOf, models: readonly string[]): string | undefined {
  try {
    checkModels(kindsOf, models);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** The states of aliases by their ids; null if there was or will be none. */
export type AliasStates = Record<string, AliasState | null>;

interface SavedAliases {
  before: AliasStates;
  after: AliasStates;
}

/** Saves the planned aliases. Throws `configuration_changed` if somebody changed one of them meanwhile. */
export async function saveAliases(queries: Queries, { fresh, changed }: AliasesPlan): Promise<SavedAliases> {
  const saved: SavedAliases = { before: {}, after: {} };
  if (fresh.length + changed.length === 0) return saved;
  await lockAliases(queries, null);
  const rows = await sharedAliases(queries);
  const here = new Map(rows.map((row) => [row.name, row]));
  if (rows.length + fresh.length > aliasLimits.perAccount) throw changedMeanwhile();
  for (const { before, after } of [...fresh, ...changed]) {
    if (!isDeepStrictEqual(here.get(after.name) ?? null, before)) throw changedMeanwhile();
    await write(queries, after.id, stateOfAlias(after), before !== null);
    saved.before[after.id] = before && stateOfAlias(before);
    saved.after[after.id] = stateOfAlias(after);
  }
  return saved;
}

/**
 * Restores the aliases of an import that is undone. Throws `change_not_undoable` if one was changed since, or
 * if another alias has its name.
 */
export async function restoreAliases(
  queries: Queries,
  { before, after }: SavedAliases,
): Promise<SavedAliases> {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (ids.length > 0) await lockAliases(queries, null);
  const here = new Map((await sharedAliases(queries)).map((row) => [row.id, stateOfAlias(row)]));
  for (const id of ids) {
    const [was, is, now] = [before[id] ?? null, after[id] ?? null, here.get(id) ?? null];
    const name = (was ?? is)?.name ?? id;
    if (!isDeepStrictEqual(now, is)) throw changedSince(`The alias ${name}`);
    if (was && !is && [...here.values()].some((one) => one.name === name))
      throw changedSince(`The alias ${name}`);
    if (was) await write(queries, id, was, is !== null);
    else await queries.delete(aliases).where(eq(aliases.id, id));
  }
  return { before: after, after: before };
}

/** Tells the processes, after the commit, if aliases were written. */
export function announcing(context: ModelsContext, { before, after }: SavedAliases): () => void {
  return () => {
    if (Object.keys({ ...before, ...after }).length > 0) announceAliases(context, null);
  };
}

async function write(queries: Queries, id: string, state: AliasState, isHere: boolean): Promise<void> {
  const { name, models, go_on_when: goOnWhen, continue_streams: continueStreams } = state;
  const values = { name, models, goOnWhen, continueStreams };
  if (isHere)
    await queries
      .update(aliases)
      .set({ ...values, updatedAt: clock.date() })
      .where(eq(aliases.id, id));
  else await queries.insert(aliases).values({ id, accountId: null, ...values });
}

function sharedAliases(queries: Queries): Promise<AliasRow[]> {
  return queries.select().from(aliases).where(owned(null)).orderBy(asc(aliases.name));
}
