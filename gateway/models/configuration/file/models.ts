import { isDeepStrictEqual } from "node:util";
import type { FileChange } from "#contract/operator/file.ts";
import { ownEntries, templateEntries } from "#gateway/models/catalog/entries.ts";
import { type Entry, type EntryOperation, invalidSchema } from "#gateway/models/catalog/entry.ts";
import { plainSchema } from "#gateway/models/providers/descriptions.ts";
import { isSpecified } from "#gateway/models/providers/file/expand-route.ts";
import type { ModelEntry } from "#gateway/models/providers/file/schema.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { inArray } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import { changeEntry, checkEntry } from "../models/change-entry.ts";
import { assertFree } from "../models/create.ts";
import {
  type ModelState,
  type NewContent,
  released,
  saveContent,
  saveSettings,
  stateOf,
} from "../models/states.ts";
import { readOwnModels, readSettings, type SettingsRow } from "../models/stored-models.ts";
import { differences } from "./plan-routes.ts";

type Models = Record<string, ModelEntry>;
type Content = NonNullable<ModelEntry["entry"]>;

/** A model of a file that does not exist here yet; a model of the specification has no content. */
interface NewModel {
  id: string;
  given: ModelEntry;
  content: Omit<NewContent, "madeBy"> | null;
}

/** The changes that a file makes to an existing model. */
interface ChangedModel extends NewModel {
  fields: FileChange["fields"];
}

/** The effect of importing the models of a file. */
export interface ModelsPlan {
  fresh: NewModel[];
  /** Empty unless the import changes existing models to match the file. */
  changed: ChangedModel[];
  kept: string[];
  problems: string[];
  notes: string[];
}

/**
 * Operators' models with their current revision, and the operator's settings of the specification's models.
 */
export async function exportModels(queries: Queries): Promise<Models> {
  const settings = await readSettings(queries);
  const models: Models = {};
  for (const { row, content } of (await readOwnModels(queries)).reverse()) {
    if (row.leftAt !== null) continue;
    const { id, ...entry } = content.entry;
    // The cast is safe: the two types differ only in whether their lists are readonly.
    models[id] = {
      ...givenOf(settings.get(id)),
      source: content.source,
      entry: entry as Content,
    };
  }
  for (const { id } of ownEntries.load()) {
    const set = settings.get(id);
    if (set) models[id] = givenOf(set);
  }
  return models;
}

function givenOf(set: SettingsRow | undefined): ModelEntry {
  const { displayName = null, hidden = false, accounts: named = null } = set ?? {};
  return {
    ...(displayName !== null && { display_name: displayName }),
    ...(hidden && { hidden }),
    ...(named !== null && { accounts: named }),
  };
}

/**
 * Plans the import: existing models stay unchanged, or with `sets` are changed to match the file. Writes
 * nothing.
 */
export async function planModels(queries: Queries, models: Models, sets: boolean): Promise<ModelsPlan> {
  const present = await exportModels(queries);
  const plan: ModelsPlan = { fresh: [], changed: [], kept: [], problems: [], notes: [] };
  const othersRun = yieldToEventLoop();
  for (const [id, given] of Object.entries(models)) {
    await othersRun();
    const here = present[id];
    if (here && !sets) {
      plan.kept.push(id);
      if (!isSame(here, given))
        plan.notes.push(`${id} is different in the file. The import does not change it here.`);
      continue;
    }
    try {
      const changed = here && changedModel(id, given, here);
      if (changed) plan.changed.push(changed);
      else if (here) plan.kept.push(id);
      else plan.fresh.push({ id, given, content: contentOf(id, given) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      plan.problems.push(`models.${id}: ${error.message}`);
    }
  }
  plan.notes.push(...(await notesOnAccounts(queries, [...plan.fresh, ...plan.changed])));
  return plan;
}

/**
 * The changes that a file makes to a model: its content as a whole, and the settings that it names. Null:
 * none. Throws ApiError.
 */
function changedModel(id: string, given: ModelEntry, here: ModelEntry): ChangedModel | null {
  const { source, entry, ...named } = given;
  const content = source || entry ? contentOf(id, { ...here, ...given }) : null;
  const before = here.entry ? plainOf({ ...here.entry, id } as Entry) : null;
  const after = content && before ? released(plainOf(content.entry), before) : before;
  const changed = content && after && after !== before ? { ...content, entry: after } : null;
  const settings = settingsIn(here);
  const fields = [
    ...differences(settings, { ...settings, ...named }),
    ...(changed ? differences(before, changed.entry) : []),
  ];
  return fields.length === 0 && !changed ? null : { id, given, content: changed, fields };
}

function settingsIn({ display_name = null, hidden = false, accounts: named = null }: ModelEntry) {
  return { display_name, hidden, accounts: named };
}

/** The content in the form in which it is stored: without undefined fields. */
function plainOf<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

interface SavedModels {
  before: Record<string, ModelState | null>;
  after: Record<string, ModelState | null>;
}

/**
 * Saves the new and changed models; returns their states before and after, by id. Only within a change.
 * Throws `model_exists`.
 */
export async function saveModels(
  queries: Queries,
  { fresh, changed }: ModelsPlan,
  madeBy: string,
): Promise<SavedModels> {
  const saved: SavedModels = { before: {}, after: {} };
  for (const { id, given, content } of fresh) {
    if (content) {
      await assertFree(queries, id);
      await saveContent(queries, { ...content, madeBy });
    }
    // A new model of an operator has no earlier state; a model of the specification had a state without a
    // name or restriction.
    saved.before[id] = isSpecified(id) ? await stateOf(queries, id) : null;
    await saveSettings(queries, id, settingsIn(given));
    saved.after[id] = await stateOf(queries, id);
  }
  for (const { id, given, content } of changed) {
    saved.before[id] = await stateOf(queries, id);
    if (content) await saveContent(queries, { ...content, madeBy });
    await saveSettings(queries, id, given);
    saved.after[id] = await stateOf(queries, id);
  }
  return saved;
}

/**
 * The content that a file gives an operator's model, checked like one saved in the console. Throws ApiError.
 */
function contentOf(id: string, { source, entry }: ModelEntry): NewModel["content"] {
  if (isSpecified(id)) {
    if (!ownEntries.load().some((one) => one.id === id))
      throw invalidSchema("svc is the namespace of the built-in models, and there is no such model.");
    if (source || entry) throw invalidSchema("A built-in model can only be given a name and access.");
    return null;
  }
  if (!source || !entry) throw invalidSchema("A model of your own needs source and entry.");
  const [operation] = entry.operations;
  if (!operation) throw invalidSchema("operations must have one operation.");
  const checked: Entry = changeEntry({ ...entry, id, operations: [trusted(operation)] }, {});
  checkEntry(checked);
  return { entry: checked, source };
}

/**
 * Anybody may have written the file: its schemas get the limits of imported ones, and its engine must fit its
 * kind.
 */
function trusted(operation: EntryOperation): EntryOperation {
  const { api_type: kind, engine, internal, input_schema: schema } = operation;
  const ofKind = templateEntries.flatMap(({ operations }) => operations);
  if (!ofKind.some((one) => one.api_type === kind && one.engine === engine))
    throw invalidSchema(`The engine of ${kind} cannot be ${engine}.`);
  const accepts = internal?.accepts;
  if (accepts) refusePatterns(plainSchema({ type: "object", properties: accepts }));
  const plain = plainSchema(schema);
  if (!internal?.imported) refusePatterns(schema);
  return internal?.imported ? { ...operation, input_schema: plain } : operation;
}

/** Refuses patterns: only those of imported schemas run in linear time. */
function refusePatterns(schema: unknown): void {
  JSON.stringify(schema, (name, value) => {
    if (name === "patternProperties" || (name === "pattern" && typeof value === "string"))
      throw invalidSchema("A schema with patterns needs internal.imported.");
    return value;
  });
}

/** The access list is kept even if it names unknown accounts: otherwise everybody would see the model. */
async function notesOnAccounts(queries: Queries, fresh: readonly NewModel[]): Promise<string[]> {
  const named = [...new Set(fresh.flatMap(({ given }) => given.accounts ?? []))];
  if (named.length === 0) return [];
  const rows = await queries.select({ id: accounts.id }).from(accounts).where(inArray(accounts.id, named));
  const known = new Set(rows.map(({ id }) => id));
  return fresh.flatMap(({ id, given }) => {
    const unknown = (given.accounts ?? []).filter((account) => !known.has(account));
    if (unknown.length === 0) return [];
    return [`${id} is for accounts that are not here: ${unknown.join(", ")}. Choose who sees it.`];
  });
}

/** Compared as JSON, which omits undefined fields. */
function isSame(one: ModelEntry, other: ModelEntry): boolean {
  const plain = (given: ModelEntry) => plainOf({ ...given, ...settingsIn(given) });
  return isDeepStrictEqual(plain(one), plain(other));
}
