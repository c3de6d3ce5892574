import type { ModelSource } from "#contract/operator/models.ts";
import type { Entry } from "#gateway/models/catalog/entry.ts";
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
