import { timeOfId } from "#contract/ids.ts";
import { keepUntil } from "#gateway/billing/budgets/reserve.ts";
import { type Callback, keepCallback } from "#gateway/events/webhooks/callbacks.ts";
import { releaseReservation } from "#gateway/files/storage/remove-files.ts";
import { madeBy } from "#gateway/platform/core/actor.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { budgetReservations, predictions } from "#gateway/platform/database/schema.ts";
import type { StoredInput } from "#gateway/platform/database/tables/predictions.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { Admitted } from "#gateway/runs/operations/admit.ts";
import { resolveMedia } from "#gateway/runs/operations/resolve-media.ts";
import type { AdmittedRun } from "#gateway/runs/operations/with-budget.ts";
import { timelineRow } from "./remove-data.ts";
import { keepInputs, withLastingMedia } from "./run-files.ts";
import { guardRow } from "./settle.ts";
import type { PredictionRow } from "./view.ts";

export const workChannel = "prediction_work";

/** The caller's settings for a run; aborting `signal` means that the request no longer waits. */
export interface Acceptance {
  requestId: string | null;
  signal: AbortSignal;
  /** Details for the first timeline row. */
  detail?: Record<string, unknown>;
  /** The callback address that gets the run's events besides the account's endpoints. */
  callback?: Callback;
  /** Throws if the prediction must not be written any more. */
  beforeWriting?: () => Promise<void>;
  /** Written in the transaction that writes the prediction. */
  alongside?: (queries: Queries) => Promise<void>;
}

/**
 * Makes an async run durable: its media are fetched, checked and kept, then the row — which is also its job — is
 * written. Only then may the 202 be sent.
 */
export async function acceptPrediction(
  context: RunsContext,
  admitted: Admitted,
  { id, reserved, reservedCost, guards = [] }: AdmittedRun,
  { requestId, signal, detail, callback, beforeWriting, alongside }: Acceptance,
): Promise<PredictionRow> {
  const { actor, compiled, body } = admitted;
  const { model, operation } = compiled;
  const { keyId, userId } = madeBy(actor);
  const now = new Date(timeOfId(id));
  const media = compiled.mediaOf(body).length === 0 ? [] : await mediaOf(context, admitted, id, signal);
  const inputsReadableUntil = new Date(
    now.getTime() + context.config.predictionDeadlineMs + context.retention.of(actor.accountId),
  );
  await beforeWriting?.();
  const row = await store(
    context,
    {
      id,
      accountId: actor.accountId,
      keyId,
      userId,
      requestId,
      model: model.id,
      alias: admitted.alias ?? null,
      metadata: admitted.metadata,
      batchId: admitted.batchId ?? null,
      entryRevision: compiled.revision,
      apiType: operation.api_type,
      svcRegion: admitted.region,
      otherRegions: admitted.otherRegions,
      wishes: admitted.wish?.wishes ?? null,
      input: withLastingMedia(context, admitted.input, media, inputsReadableUntil),
      media,
      timeline: [
        timelineRow(
          "accepted",
          {
            ...(detail ?? { request_id: requestId }),
            ...(admitted.alias && { alias: admitted.alias }),
            ...(callback && { callback: callback.origin }),
          },
          now,
        ),
        ...guards.map((asked) => guardRow(asked, now)),
        timelineRow("queued", null, now),
      ],
      deadlineAt: new Date(now.getTime() + context.config.predictionDeadlineMs),
      createdAt: now,
      nextCheckAt: now,
      traceParent: context.telemetry?.position() ?? null,
      reservedUnit: reserved?.unit ?? null,
      reservedQuantity: reserved?.quantity ?? null,
      reservedCost,
    },
    callback
      ? async (queries) => {
          await keepCallback(context, queries, actor.accountId, id, callback);
          await alongside?.(queries);
        }
      : alongside,
  );
  // The reservation is now stored in the prediction's row, so this process stops tracking it.
  context.money.end(id);
  context.database.notify(workChannel);
  return row;
}

/** Fetches, checks and keeps the media of a run. Throws as `resolveMedia`. */
function mediaOf(
  context: RunsContext,
  { actor: { accountId }, compiled, body, files }: Admitted,
  id: string,
  signal: AbortSignal,
): Promise<StoredInput[]> {
  const { limits } = compiled.operation;
  return context.scratch.withDirectory(async (directory) => {
    const asked = { accountId, compiled, body, files, limits, signal, directory };
    return keepInputs(context, { id, accountId }, await resolveMedia(context, asked));
  });
}

/**
 * The columns that acceptance writes. Both statements follow from this list, and the compiler compares the row
 * with it: a row is written without a spread, because the compiler checks no names beside one.
 */
const columns = [
  ...(["id", "accountId", "keyId", "userId", "requestId", "model", "alias", "metadata", "batchId"] as const),
  ...(["entryRevision", "apiType", "svcRegion", "otherRegions", "wishes", "input", "media"] as const),
  ...(["timeline", "deadlineAt", "createdAt", "nextCheckAt", "traceParent"] as const),
] as const;
/** Only a run with a reservation has these. The prepared statement leaves them out: it would write a null as text. */
type Reserved = "reservedUnit" | "reservedQuantity" | "reservedCost";
type Accepted = Required<
  Pick<typeof predictions.$inferInsert, (typeof columns)[number] | Reserved> & { media: StoredInput[] }
>;

/** Writes the row, which then owns its inputs and its reservation. */
async function store(
  context: RunsContext,
  accepted: Accepted,
  alongside: Acceptance["alongside"],
): Promise<PredictionRow> {
  const { database } = context;
  const { id, media } = accepted;
  try {
    if (media.length === 0 && !accepted.reservedUnit && !accepted.reservedCost && !alongside)
      return only(await insertOf(database.queries).execute(accepted));
    return await database.transaction(async (queries) => {
      const row = only(await queries.insert(predictions).values(accepted).returning());
      await releaseReservation(queries, id);
      await alongside?.(queries);
      if (accepted.reservedUnit)
        await queries.delete(budgetReservations).where(eq(budgetReservations.runId, id));
      if (accepted.reservedCost) await keepUntil(queries, id, accepted.deadlineAt);
      return row;
    });
  } catch (error) {
    // The row may have been written although the confirmation was lost; in that case the job exists.
    const [row] = await database.queries
      .select()
      .from(predictions)
      .where(eq(predictions.id, id))
      .catch(() => []);
    if (row) return row;
    throw error;
  }
}

function only([row]: PredictionRow[]): PredictionRow {
  if (!row) throw new Error("the prediction was not inserted");
  return row;
}

const inserts = new WeakMap<Queries, ReturnType<typeof prepareInsert>>();

/** The insert, prepared once per database: building its text takes longer than running it. */
function insertOf(queries: Queries): ReturnType<typeof prepareInsert> {
  const known = inserts.get(queries);
  if (known) return known;
  const fresh = prepareInsert(queries);
  inserts.set(queries, fresh);
  return fresh;
}

function prepareInsert(queries: Queries) {
  const places = Object.fromEntries(columns.map((name) => [name, sql.placeholder(name)]));
  return queries
    .insert(predictions)
    .values(places as Record<(typeof columns)[number], ReturnType<typeof sql.placeholder>>)
    .returning()
    .prepare("accept_prediction");
}
