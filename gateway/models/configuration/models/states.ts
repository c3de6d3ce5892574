import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "#contract/catalog.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { ModelSource } from "#contract/operator/models.ts";
import type { Entry, EntryOperation } from "#gateway/models/catalog/entry.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { modelSettings, ownModelRevisions, ownModels } from "#gateway/platform/database/schema.ts";
import { readRevision } from "../read-configuration.ts";
import { findOwnModel, findSettings, type SettingsRow } from "./stored-models.ts";

/** The state of an entry in the audit log, enough to restore it: the content stays in its revision. */
export interface ModelState extends Record<string, unknown> {
  /** Null for an entry of the specification. */
  revision: number | null;
  display_name: string | null;
  hidden: boolean;
  accounts: string[] | null;
}

/** The current state of an offered entry; null if it is not offered. */
export async function stateOf(queries: Queries, id: string): Promise<ModelState | null> {
  const own = await findOwnModel(queries, id);
  if (own?.row.leftAt) return null;
  const { displayName, hidden, accounts } = await findSettings(queries, id);
  return { revision: own?.row.revision ?? null, display_name: displayName, hidden, accounts };
}

export interface NewContent {
  entry: Entry;
  source: ModelSource;
  madeBy: string;
}

/**
 * Makes this content the offered revision of an entry, which is created or restored if necessary. Only within
 * a change.
 */
export async function saveContent(queries: Queries, { entry, source, madeBy }: NewContent): Promise<number> {
  const { id } = entry;
  const own = await findOwnModel(queries, id);
  const revision = (own ? await lastRevision(queries, id) : 0) + 1;
  const now = clock.date();
  const changed = { revision, changeNumber: await readRevision(queries), leftAt: null, updatedAt: now };
  await queries
    .insert(ownModels)
    .values({ id, ...changed, createdAt: now })
    .onConflictDoUpdate({
      target: ownModels.id,
      set: own?.row.leftAt ? { ...changed, createdAt: now } : changed,
    });
  await queries
    .insert(ownModelRevisions)
    .values({ modelId: id, revision, entry, source, madeBy, createdAt: now });
  return revision;
}

async function lastRevision(queries: Queries, id: string): Promise<number> {
  const rows = await queries
    .select({ revision: ownModelRevisions.revision })
    .from(ownModelRevisions)
    .where(eq(ownModelRevisions.modelId, id));
  return Math.max(0, ...rows.map(({ revision }) => revision));
}

/** Removes an entry from the catalog, or offers it again. Only within a change. */
export async function saveOffered(queries: Queries, id: string, isOffered: boolean): Promise<void> {
  const now = clock.date();
  await queries
    .update(ownModels)
    .set({ leftAt: isOffered ? null : now, changeNumber: await readRevision(queries), updatedAt: now })
    .where(eq(ownModels.id, id));
}

export interface Settings {
  display_name?: string | null | undefined;
  hidden?: boolean | undefined;
  accounts?: string[] | null | undefined;
}

/** Changes an entry's settings; omitted fields keep their values. Only within a change. */
export async function saveSettings(queries: Queries, id: string, changes: Settings): Promise<void> {
  const before = await findSettings(queries, id);
  const { display_name: displayName = before.displayName, hidden = before.hidden } = changes;
  const accounts = changes.accounts === undefined ? before.accounts : changes.accounts;
  const after: SettingsRow = { modelId: id, displayName, hidden, accounts };
  await queries.delete(modelSettings).where(eq(modelSettings.modelId, id));
  if (displayName !== null || hidden || accounts !== null) await queries.insert(modelSettings).values(after);
}

/** Keywords that only describe: changing them does not change the input. */
const words = ["title", "description", "examples", "example", "deprecated", "default", "x-order"];

const maps = ["properties", "dependentSchemas"];

/**
 * The new version of an entry: with today's date if it differs, and with a higher `schema_version` if the
 * shape of its input differs.
 */
export function released(entry: Entry, before: Entry): Entry {
  if (isDeepStrictEqual(withoutVersions(entry), withoutVersions(before)) && hasSameOrder(entry, before))
    return before;
  return {
    ...entry,
    latest_release_at: clock.date().toISOString().slice(0, 10),
    operations: entry.operations.map((operation, index) => versioned(operation, before.operations[index])),
  };
}

function versioned(operation: EntryOperation, before: EntryOperation | undefined): EntryOperation {
  if (!before) return operation;
  const hasSameShape = isDeepStrictEqual(shapeOf(operation.input_schema), shapeOf(before.input_schema));
  return { ...operation, schema_version: before.schema_version + (hasSameShape ? 0 : 1) };
}

/** The form shows fields in the schema's order, which a comparison of objects ignores. */
function hasSameOrder(entry: Entry, before: Entry): boolean {
  const schemasOf = ({ operations }: Entry) => JSON.stringify(operations.map((one) => one.input_schema));
  return schemasOf(entry) === schemasOf(before);
}

function withoutVersions({ latest_release_at: _, operations, ...entry }: Entry): object {
  return { ...entry, operations: operations.map(({ schema_version: __, ...operation }) => operation) };
}

/** A schema without its descriptive keywords. */
function shapeOf(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([keyword]) => !words.includes(keyword));
  return Object.fromEntries(
    entries.map(([keyword, value]) => [keyword, maps.includes(keyword) ? shapesIn(value) : shapeIn(value)]),
  );
}

function shapesIn(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeIn(part)]));
}

function shapeIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeIn);
  return isRecord(value) ? shapeOf(value) : value;
}
