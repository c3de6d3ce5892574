import { isTerminal, predictionStatuses } from "#contract/prediction.ts";
import { withMinimumAge } from "#gateway/models/catalog/entries/pieces.ts";
import type { Entry } from "#gateway/models/catalog/entry.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, eq, inArray, isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import {
  modelSettings,
  ownModelRevisions,
  ownModels,
  predictions,
} from "#gateway/platform/database/schema.ts";

export type OwnModelRow = typeof ownModels.$inferSelect;

export type RevisionRow = Omit<typeof ownModelRevisions.$inferSelect, "entry"> & { entry: Entry };

export type SettingsRow = typeof modelSettings.$inferSelect;

/** An operator's entry with the content of its current revision. */
export interface StoredModel {
  row: OwnModelRow;
  content: RevisionRow;
}

/** All operators' entries, including deleted ones, newest first. */
export async function readOwnModels(queries: Queries): Promise<StoredModel[]> {
  const rows = await selectStored(queries).orderBy(sql`${ownModels.createdAt} desc, ${ownModels.id}`);
  return rows.map(asStored);
}

export async function findOwnModel(queries: Queries, id: string): Promise<StoredModel | null> {
  const [found] = await selectStored(queries).where(eq(ownModels.id, id));
  return found ? asStored(found) : null;
}

function selectStored(queries: Queries) {
  return queries
    .select({ row: ownModels, content: ownModelRevisions })
    .from(ownModels)
    .innerJoin(
      ownModelRevisions,
      and(eq(ownModelRevisions.modelId, ownModels.id), eq(ownModelRevisions.revision, ownModels.revision)),
    );
}

/** Trusts the stored JSON, because entries are checked before they are stored. */
function asStored({
  row,
  content,
}: {
  row: OwnModelRow;
  content: typeof ownModelRevisions.$inferSelect;
}): StoredModel {
  return { row, content: asRevision(content) };
}

export function asRevision(content: typeof ownModelRevisions.$inferSelect): RevisionRow {
  const entry = content.entry as Entry;
  // Older revisions may have null instead of the age for their gate.
  return { ...content, entry: { ...entry, safety_requirements: withMinimumAge(entry.safety_requirements) } };
}

export async function readSettings(queries: Queries): Promise<Map<string, SettingsRow>> {
  const rows = await queries.select().from(modelSettings);
  return new Map(rows.map((row) => [row.modelId, row]));
}

export async function findSettings(queries: Queries, id: string): Promise<SettingsRow> {
  const [row] = await queries.select().from(modelSettings).where(eq(modelSettings.modelId, id));
  return row ?? { modelId: id, displayName: null, hidden: false, accounts: null };
}

export function noSuchModel(id: string): ApiError {
  return new ApiError("model_not_found", `There is no model "${id}". GET /v1/operator/models lists them.`, {
    param: "model",
  });
}

const isRunning = inArray(
  predictions.status,
  predictionStatuses.filter((status) => !isTerminal(status)),
);

/** The running predictions of operators' entries, counted by entry and revision. */
export async function countRunning(
  queries: Queries,
): Promise<{ model: string; revision: number; running: number }[]> {
  const rows = await queries
    .select({ model: predictions.model, revision: predictions.entryRevision, running: count() })
    .from(predictions)
    .where(and(isRunning, isNotNull(predictions.entryRevision)))
    .groupBy(predictions.model, predictions.entryRevision);
  return rows.map((row) => ({ ...row, revision: row.revision ?? 0 }));
}

export function runningOf(queries: Queries, id: string): Promise<number> {
  return queries.$count(predictions, and(isRunning, eq(predictions.model, id)));
}
