import { byName } from "#contract/by-name.ts";
import { isId } from "#contract/ids.ts";
import type { List } from "#contract/list.ts";
import type {
  CreatedVideo,
  Prediction,
  PredictionList,
  PredictionQuery,
  Video,
  VideoQuery,
} from "#contract/prediction.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import {
  fewUndeliveredIds,
  isUndeliveredPrediction,
  readDeliveryStatuses,
  undeliveredIds,
} from "#gateway/events/webhooks/deliveries/of-predictions.ts";
import { Clearance, searchableBy } from "#gateway/models/catalog/clearance.ts";
import { promptIn } from "#gateway/models/catalog/prompt-of.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { idsByKind } from "#gateway/platform/database/account-rows.ts";
import { countNotes } from "#gateway/platform/database/counts.ts";
import { and, eq, getTableColumns, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { type Keyset, keyset, listOf, withTotal } from "#gateway/platform/database/keyset.ts";
import { foundBy, hasPair } from "#gateway/platform/database/metadata-filter.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { manifestsOfRuns } from "#gateway/runs/provenance/find-outputs.ts";
import { type PredictionRow, predictionUrl, predictionView } from "./view.ts";

/** The account's prediction. Throws `prediction_not_found`, also for another account's id. */
export async function findPrediction(
  context: Pick<RunsContext, "database" | "history">,
  accountId: string,
  id: string,
): Promise<PredictionRow> {
  const [row] = await context.database.queries
    .select()
    .from(predictions)
    .where(and(eq(predictions.id, id), eq(predictions.accountId, accountId)));
  if (!row) {
    const note = isId("generation", id)
      ? " A run that was answered at once is not kept: its answer was the whole of it."
      : forgottenNote(context.history, "prediction", id);
    throw new ApiError("prediction_not_found", `There is no prediction ${id}.${note}`);
  }
  return row;
}

/** The prediction that a request created, if its row was written. */
export async function findPredictionOfRequest(
  context: RunsContext,
  accountId: string,
  requestId: string,
): Promise<PredictionRow | null> {
  const [row] = await context.database.queries
    .select()
    .from(predictions)
    .where(and(eq(predictions.requestId, requestId), eq(predictions.accountId, accountId)));
  return row ?? null;
}

/** The prediction for its own page, with its creator. */
export async function readPrediction(context: RunsContext, actor: Actor, id: string): Promise<Prediction> {
  const row = await findPrediction(context, actor.accountId, id);
  const { queries } = context.database;
  const [clearance, makerOf, manifestsOf] = await Promise.all([
    Clearance.of(context, actor, [row.model]),
    readMakers(queries, [row]),
    manifestsOfRuns(queries, withFiles([row])),
  ]);
  return { ...predictionView(context, row, clearance, manifestsOf(row.id)), made_by: makerOf(row) };
}

/** The account's prediction as OpenAI's video resource. */
export async function readVideo(context: RunsContext, actor: Actor, id: string): Promise<Video> {
  const row = await findPrediction(context, actor.accountId, id);
  return videoView(row, await Clearance.of(context, actor, [row.model]));
}

/** A new prediction as OpenAI's video resource, with the fields that every async operation answers. */
export function createdVideo(context: RunsContext, row: PredictionRow, clearance: Clearance): CreatedVideo {
  return {
    ...videoView(row, clearance),
    poll_url: predictionUrl(context, row.id),
    svc_region: row.svcRegion,
  };
}

/** The ids of those predictions that have stored files. */
function withFiles(rows: readonly PredictionRow[]): string[] {
  return rows.filter(({ status, outputs }) => status === "succeeded" && outputs !== null).map(({ id }) => id);
}

const promptExcerpt = 160;

/**
 * The columns for a row of a long list. A page with prompts and timelines would be megabytes, and lists are
 * requested often.
 */
const summaryColumns = {
  ...getTableColumns(predictions),
  input: sql<PredictionRow["input"]>`case when ${predictions.input} is not null then
    jsonb_strip_nulls(jsonb_build_object('prompt', left(${predictions.input}->>'prompt', ${promptExcerpt}::int))) end`,
  media: sql<PredictionRow["media"]>`'[]'::jsonb`,
  timeline: sql<PredictionRow["timeline"]>`'[]'::jsonb`,
  receipt: sql<null>`null`,
};

/** The account's predictions, newest first. Throws the 403 of a caller that filters by deliveries and may not read them. */
export async function listPredictions(
  context: RunsContext,
  actor: Actor,
  query: PredictionQuery,
): Promise<PredictionList> {
  const { accountId } = actor;
  const { user_id: userId, key_id: keyId, metadata, search } = query;
  const { queries } = context.database;
  const isUndelivered = query.deliveries !== undefined;
  if (isUndelivered) await assertPermitted(queries, actor, "deliveries:read");
  const page = keyset("prediction", predictions.id, query, [
    eq(predictions.accountId, accountId),
    search === undefined
      ? undefined
      : predictionsFoundBy(accountId, search, await searchableBy(context, actor, predictions.model)),
    userId === undefined ? undefined : eq(predictions.userId, userId),
    keyId === undefined ? undefined : eq(predictions.keyId, keyId),
    metadata === undefined ? undefined : hasPair(predictions.metadata, metadata),
  ]);
  const kinds = kindsOf(query);
  // Filters by member, key or metadata have their own indexes, and a search reads the newest rows anyway.
  const hasOwnIndex = [userId, keyId, metadata, search].some((value) => value !== undefined);
  const ofKinds = and(...kinds.wanted(...kinds.parts.map((part) => sql`${part}`)));
  const namesMore = hasOwnIndex || query.status !== undefined || namesKind(query);
  // With two filters the planner starts with the rarer one.
  const idsOf = (page: Keyset) =>
    isUndelivered ? undeliveredIds(accountId, page) : idsByKind(predictions, { accountId, ...kinds, page });
  const few =
    isUndelivered && namesMore ? await fewUndeliveredIds(queries, accountId, page.whole ?? page) : null;
  const ofDeliveries = few
    ? sql`${predictions.id} = any (${sql.param(few)}::text[])`
    : isUndelivered
      ? isUndeliveredPrediction(accountId)
      : undefined;
  const inOrder = ({ where }: Keyset) => and(where, ofKinds, ofDeliveries);
  const isById = isUndelivered ? !namesMore : namesKind(query) && !hasOwnIndex;
  const rows = await queries
    .select(query.view === "summary" ? summaryColumns : getTableColumns(predictions))
    .from(predictions)
    .where(isById ? inArray(predictions.id, idsOf(page)) : inOrder(page))
    .orderBy(page.order)
    .limit(page.limit);
  const ids = rows.map(({ id }) => id);
  const showsDeliveries = query.view === "summary" && actor.permissions.has("deliveries:read");
  const [clearance, makerOf, manifestsOf, notesOn, deliveryStatusOf] = await Promise.all([
    Clearance.of(
      context,
      actor,
      rows.map(({ model }) => model),
    ),
    readMakers(queries, rows),
    manifestsOfRuns(queries, withFiles(rows)),
    countNotes(queries, "prediction", accountId, ids),
    showsDeliveries ? readDeliveryStatuses(queries, accountId, ids) : null,
  ]);
  const found = listOf(page, rows, (row) => ({
    ...predictionView(context, row, clearance, manifestsOf(row.id)),
    made_by: makerOf(row),
    notes: notesOn(row.id),
    ...(deliveryStatusOf && { delivery_status: deliveryStatusOf(row.id) }),
  }));
  const list = await withTotal(queries, page, found, (whole) =>
    isById ? idsOf(whole) : sql`select 1 from ${predictions} where ${inOrder(whole)}`,
  );
  return query.limit === undefined ? { ...list, ...replicatePage(context, query, list) } : list;
}

/** The account's videos in OpenAI's form, newest first. */
export async function listVideos(
  context: RunsContext,
  actor: Actor,
  { after, limit }: VideoQuery,
): Promise<List<Video>> {
  const { accountId } = actor;
  const apiType = "video-generation";
  const query = { ...(after !== undefined && { after }), ...(limit !== undefined && { limit }) };
  const page = keyset("prediction", predictions.id, query, [eq(predictions.accountId, accountId)]);
  const kinds = kindsOf({ ...query, api_type: apiType });
  const rows = await context.database.queries
    .select()
    .from(predictions)
    .where(inArray(predictions.id, idsByKind(predictions, { accountId, ...kinds, page })))
    .orderBy(page.order)
    .limit(page.limit);
  const models = rows.map(({ model }) => model);
  const clearance = await Clearance.of(context, actor, models);
  return listOf(page, rows, (row) => videoView(row, clearance));
}

/** Whether a filter includes more than the status, which has an index of its own. */
function namesKind({ model, api_type, svc_region }: PredictionQuery): boolean {
  return [model, api_type, svc_region].some((value) => value !== undefined);
}

function kindsOf(query: PredictionQuery) {
  const values = [query.status, query.model, query.api_type, query.svc_region];
  return {
    parts: [predictions.status, predictions.model, predictions.apiType, predictions.svcRegion],
    wanted: (...kind: SQL[]) =>
      kind.map((part, index) => (values[index] === undefined ? undefined : eq(part, values[index]))),
  };
}

/** The list page in Replicate's format. */
function replicatePage(context: RunsContext, query: PredictionQuery, list: List<Prediction>) {
  const isBackwards = query.before !== undefined;
  const hasOlder = isBackwards || list.has_more;
  const hasNewer = isBackwards ? list.has_more : query.after !== undefined;
  const pageUrl = (cursor: "after" | "before", id: string | null) => {
    const { after: _after, before: _before, limit: _limit, count: _count, ...filters } = query;
    return (
      id && `${context.config.publicUrl}/v1/predictions?${new URLSearchParams({ ...filters, [cursor]: id })}`
    );
  };
  return {
    results: list.data,
    next: hasOlder ? pageUrl("after", list.last_id) : null,
    previous: hasNewer ? pageUrl("before", list.first_id) : null,
  };
}

const statuses = byName<Video["status"]>({
  starting: "queued",
  processing: "in_progress",
  succeeded: "completed",
  failed: "failed",
  canceled: "failed",
});

/** A prediction as OpenAI's video resource; without its prompt for a reader who lacks an attestation. */
function videoView(row: PredictionRow, clearance: Clearance): Video {
  const prompt = clearance.missing(row.model) === null ? row.input?.prompt : null;
  return {
    id: row.id,
    object: "video",
    model: row.model,
    status: statuses[row.status] ?? "in_progress",
    progress: row.progress ?? 0,
    created_at: Math.floor(row.createdAt.getTime() / 1000),
    completed_at: row.completedAt ? Math.floor(row.completedAt.getTime() / 1000) : null,
    expires_at: row.expiresAt ? Math.floor(row.expiresAt.getTime() / 1000) : null,
    prompt: typeof prompt === "string" ? prompt : null,
    seconds: row.input?.duration === undefined ? null : String(row.input.duration),
    size: row.input?.resolution ?? null,
    remixed_from_video_id: null,
    error:
      row.status === "canceled" ? { code: "canceled", message: "The prediction was canceled." } : row.error,
  };
}

/**
 * The account's predictions whose prompts contain these words. Removed inputs are not searched. Prompts
 * outside `searchable` are left out, so that readers find no words that they may not see; ids are always
 * found.
 */
export function predictionsFoundBy(
  accountId: string,
  search: string,
  searchable: SQL | undefined,
): SQL | undefined {
  const prompt = promptIn(predictions.input);
  return foundBy(search, {
    idColumn: predictions.id,
    among: eq(predictions.accountId, accountId),
    texts: [searchable ? sql`case when ${searchable} then ${prompt} end` : prompt],
    keepsAccents: true,
  });
}
