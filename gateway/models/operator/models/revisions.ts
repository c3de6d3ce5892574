import type {
  OperatorModel,
  OperatorModelRevision,
  OperatorModelRevisionList,
} from "#contract/operator/models.ts";
import type { Context } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq } from "#gateway/platform/database/drizzle.ts";
import { ownModelRevisions } from "#gateway/platform/database/schema.ts";
import { changeConfiguration } from "../change.ts";
import { checkEntry } from "./check-entry.ts";
import { findModel } from "./list.ts";
import { contentView } from "./model-view.ts";
import { released } from "./released.ts";
import { countRunning } from "./running.ts";
import { saveContent, stateOf } from "./states.ts";
import { asRevision, findOwnModel, noSuchModel, type RevisionRow } from "./stored-models.ts";

/** The revisions of an entry, newest first. Throws `model_not_found`. */
export async function listRevisions({ database }: Context, id: string): Promise<OperatorModelRevisionList> {
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
  context: Context,
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
