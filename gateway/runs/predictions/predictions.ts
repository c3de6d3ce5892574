import { isId } from "#contract/ids.ts";
import { isTerminal, predictionRoutes, summaryRoutes } from "#contract/prediction.ts";
import { predictionStatuses } from "#contract/prediction-constants.ts";
import type { FirstSteps, Summary } from "#contract/summary.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { costView } from "#gateway/billing/prices/price-lines.ts";
import { countDeliveries } from "#gateway/events/webhooks/deliveries/read.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { countByStatus } from "#gateway/platform/database/counts.ts";
import { and, eq, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { sendReceipt, sendReceiptOfSyncRun } from "#gateway/runs/provenance/receipts/receipts.ts";
import { cancelPrediction } from "./cancel.ts";
import { streamPrediction } from "./follow.ts";
import { findPrediction, listPredictions, listVideos, readPrediction, readVideo } from "./read.ts";
import { predictionView } from "./view.ts";

const periodMs = 24 * 3_600_000;

export function installPredictions(app: App, context: RunsContext): void {
  serve(app, context, predictionRoutes, {
    "GET /predictions/{id}": ({ caller, params }) => readPrediction(context, caller.actor, params.id),
    "GET /predictions/{id}/receipt": async ({ caller: { actor }, params: { id } }, reply) => {
      if (isId("generation", id)) return sendReceiptOfSyncRun(context, reply, actor, id);
      const row = await findPrediction(context, actor.accountId, id);
      return sendReceipt(context, reply, actor, {
        ...{ id, kind: "prediction", model: row.model, operation: row.apiType, region: row.svcRegion },
        ...{ provider: row.provider, status: row.status },
        ...{ errorCode: row.error?.code ?? null, createdAt: row.createdAt, startedAt: row.startedAt },
        ...{ completedAt: row.completedAt, cost: costView(row, context.prices.book.currency) },
        ...{ facts: row.receipt, hasEnded: isTerminal(row.status), deliveries: { predictionId: id } },
      });
    },
    "GET /predictions": ({ caller, query }) => listPredictions(context, caller.actor, query),
    "POST /predictions/{id}/cancel": (request) =>
      cancelPrediction(context, request.caller, request.params.id),
    "GET /predictions/{id}/events": ({ caller, params }, reply) =>
      streamPrediction(context, reply, caller.actor, params.id),
    "GET /videos": ({ caller, query }) => listVideos(context, caller.actor, query),
    "DELETE /videos/{id}": (request) => deleteVideo(context, request.caller, request.params.id),
    "GET /videos/{id}": ({ caller, params }) => readVideo(context, caller.actor, params.id),
    "GET /videos/{id}/content": async (request, reply) => {
      const { actor } = request.caller;
      const row = await findPrediction(context, actor.accountId, request.params.id);
      const clearance = await Clearance.of(context, actor, [row.model]);
      clearance.assert(row.model);
      const { data } = predictionView(context, row, clearance);
      const [file] = data ?? [];
      const url = request.query.variant === "thumbnail" ? file?.preview_url : file?.url;
      if (row.dataRemovedAt !== null)
        throw new ApiError(
          "payload_purged",
          `The data of this video was removed on ${row.dataRemovedAt.toISOString()}. Run the request again to get a new video.`,
        );
      if (!url)
        throw new ApiError(
          "prediction_not_found",
          `This video has no content to download; its status is ${row.status}.`,
        );
      return reply.redirect(url, 302);
    },
  });
  serve(app, context, summaryRoutes, { "GET /summary": ({ caller }) => readSummary(context, caller.actor) });
}

/** The account's activity of the last 24 hours, as far as the caller may read it. */
export async function readSummary(context: RunsContext, actor: Actor): Promise<Summary> {
  const { accountId, permissions, kind } = actor;
  const sinceMs = clock.now() - periodMs;
  const readsPredictions = permissions.has("predictions:read");
  const readsDeliveries = permissions.has("deliveries:read");
  if (!readsPredictions && !readsDeliveries)
    await assertPermitted(context.database.queries, actor, "predictions:read");
  const [ofPredictions, ofDeliveries, firstSteps] = await Promise.all([
    readsPredictions ? countPredictions(context, accountId, sinceMs) : null,
    readsDeliveries ? countDeliveries(context, accountId, sinceMs) : null,
    kind === "user" ? readFirstSteps(context, accountId) : null,
  ]);
  return {
    object: "summary",
    since: new Date(sinceMs).toISOString(),
    predictions: ofPredictions,
    deliveries: ofDeliveries,
    first_steps: firstSteps,
  };
}

function countPredictions({ database }: RunsContext, accountId: string, sinceMs: number) {
  return countByStatus(database, predictions, {
    accountId,
    statuses: predictionStatuses,
    kind: "prediction",
    sinceMs,
  });
}

/** Which first steps an account has done; each query reads the first row of an index. */
async function readFirstSteps({ database }: RunsContext, accountId: string): Promise<FirstSteps> {
  const { rows } = await database.queries.execute<FirstSteps & Record<string, unknown>>(sql`
    select
      exists (select from predictions where account_id = ${accountId})
        or exists (select from usage_daily where account_id = ${accountId}) as ran_model,
      exists (select from api_keys where account_id = ${accountId}) as created_key,
      exists (select from api_keys where account_id = ${accountId} and last_used_at is not null) as used_key,
      exists (select from webhook_endpoints where account_id = ${accountId}) as added_endpoint,
      exists (select from webhook_endpoints where account_id = ${accountId} and last_success_at is not null)
        as received_event`);
  const [steps] = rows;
  if (!steps) throw new Error("the first steps of an account are always one row");
  return steps;
}

/**
 * Ends the retention of a video now: the next sweep removes its files, and no new URL of them is issued. The
 * prediction stays in the history. Throws `prediction_not_found`, and `invalid_parameter` while it runs.
 */
async function deleteVideo(context: RunsContext, caller: Caller, id: string) {
  const row = await findPrediction(context, caller.actor.accountId, id);
  if (!isTerminal(row.status))
    throw invalidParameter(
      "id",
      `This video is still being made. Send POST /v1/predictions/${id}/cancel to cancel it first.`,
    );
  await audited(context, caller, "prediction.deleted", async (queries) => {
    const ended = await queries
      .update(predictions)
      .set({ expiresAt: sql`least(expires_at, now())` })
      .where(and(eq(predictions.id, id), isNull(predictions.dataRemovedAt)))
      .returning({ id: predictions.id });
    return ended.length === 0 ? { unchanged: null } : { target: id, result: null };
  });
  return { id, object: "video.deleted" as const, deleted: true as const };
}
