import type { Response } from "#contract/responses.ts";
import type { EventType } from "#contract/webhook-constants.ts";
import type { RunUsage } from "#gateway/billing/usage/lines.ts";
import { recordUsage } from "#gateway/billing/usage/record.ts";
import { emitCallback } from "#gateway/events/webhooks/callbacks.ts";
import { deliveriesChannel, emitEvent, eventsChannel } from "#gateway/events/webhooks/events.ts";
import { hiddenResponse } from "#gateway/events/webhooks/feed.ts";
import { emitReached } from "#gateway/events/webhooks/news.ts";
import { attestationsToLook } from "#gateway/models/catalog/clearance.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { instanceId } from "#gateway/platform/core/leased-loop.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { responseEvents, responseJobs, responses } from "#gateway/platform/database/schema.ts";
import { addFigures, type FigureSums } from "#gateway/platform/figures/sums.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { figuresOfFailure, type UnattendedRun } from "#gateway/runs/operations/unattended-run.ts";
import { withoutSealed } from "../format-response.ts";
import { factsOfResponse, type ResponseRow, storedBytesOf } from "../stored.ts";

/** A background response that has not ended. */
export type Job = typeof responseJobs.$inferSelect;

/**
 * Ends a job of this process in one transaction: its response, its usage, and its event. If the job was
 * canceled or deleted meanwhile, only the upstream's usage is counted.
 */
export async function settleJob(
  context: RunsContext,
  job: Job,
  response: Response,
  usage: RunUsage | null,
  figures: FigureSums,
): Promise<void> {
  const isEnded = await context.database.transaction(async (queries) => {
    const row = await lockResponse(queries, job.accountId, job.id);
    const ended = await queries.delete(responseJobs).where(isLeased(job)).returning({ id: responseJobs.id });
    const isOurs = row !== null && ended.length > 0;
    if (isOurs) await end(context, queries, row, response, usage?.provider ?? null);
    if (isOurs) await addFigures(queries, figures);
    if (usage) {
      const reserved = [usage.runId];
      const reached = await recordUsage(queries, [usage], { reserved, reservedMoney: reserved });
      await emitReached(queries, reached, context.config.retentionMs);
    }
    return isOurs;
  });
  if (isEnded) notifyEnded(context, job.accountId);
}

export function isLeased({ id }: Pick<Job, "id">) {
  return and(eq(responseJobs.id, id), eq(responseJobs.leaseOwner, instanceId));
}

/** The job in the form that figures count. */
export function runOf({ accountId, keyId, userId }: Job, model: string): UnattendedRun {
  return { accountId, keyId, userId, model, operation: "chat-completions" };
}

/** Ends a job of this process that failed. `cut`: the usage that the account pays for the text that arrived before. */
export async function settleFailed(
  context: RunsContext,
  job: Job,
  { code, message }: ApiError,
  cut: RunUsage | null,
): Promise<void> {
  const [row] = await context.database.queries
    .select({ response: responses.response })
    .from(responses)
    .where(eq(responses.id, job.id));
  if (!row) return;
  const failed: Response = { ...row.response, status: "failed", error: { code, message } };
  await settleJob(context, job, failed, cut, figuresOfFailure(runOf(job, row.response.model), code));
}

/**
 * Cancels a response that has not ended. Throws `response_not_found`, and `invalid_parameter` for one that
 * has ended.
 */
export async function cancelResponse(context: RunsContext, accountId: string, id: string): Promise<Response> {
  const canceled = await context.database.transaction(async (queries) => {
    const row = await lockResponse(queries, accountId, id);
    if (!row) throw new ApiError("response_not_found", `There is no response ${id}. It may have expired.`);
    if (row.response.status === "cancelled") return row.response;
    const [job] = await queries
      .delete(responseJobs)
      .where(eq(responseJobs.id, id))
      .returning({ id: responseJobs.id });
    if (!job)
      throw new ApiError(
        "invalid_parameter",
        "Only a response in the background can be canceled, and this one has ended.",
      );
    const response: Response = { ...row.response, status: "cancelled" };
    await end(context, queries, row, response, null);
    return response;
  });
  notifyEnded(context, accountId);
  return canceled;
}

/**
 * Locks a response. Every writer that changes a response and its job locks the response first, as the
 * deletion does.
 */
async function lockResponse(queries: Queries, accountId: string, id: string): Promise<ResponseRow | null> {
  const [row] = await queries
    .select()
    .from(responses)
    .where(and(eq(responses.id, id), eq(responses.accountId, accountId), isNull(responses.deletedAt)))
    .for("update");
  return row ?? null;
}

/** Writes the end of a response with its event. Its kept events count as storage from then on. */
async function end(
  context: RunsContext,
  queries: Queries,
  row: ResponseRow,
  response: Response,
  provider: string | null,
): Promise<void> {
  const gatesOf = await attestationsToLook(context);
  const receipt = await factsOfResponse(gatesOf, { response, input: row.input }, provider);
  const expiresAt = new Date(clock.now() + context.retention.of(row.accountId));
  await queries
    .update(responses)
    .set({
      response,
      receipt,
      expiresAt,
      storedBytes: sql`${storedBytesOf({ response, input: row.input })} + coalesce((
        select sum(octet_length(events::text)) from ${responseEvents} where response_id = ${row.id}), 0)`,
    })
    .where(eq(responses.id, row.id));
  const object = { ...response, output: response.output.map(withoutSealed) };
  const traceParent = context.telemetry?.position() ?? null;
  await emitEvent(queries, {
    accountId: row.accountId,
    type: `response.${response.status}` as EventType,
    subject: { responseId: row.id },
    source: { model: response.model, keyId: row.keyId },
    object,
    once: `${row.id} ended`,
    retentionUntil: expiresAt,
    traceParent,
  });
  await emitCallback(context, queries, {
    ...{ subjectId: row.id, accountId: row.accountId, predictionId: null, models: [response.model] },
    ...{ event: "completed", type: `response.${response.status}`, isLast: true, traceParent },
    object: (clearance) => {
      const gated = clearance.missing(response.model);
      return gated === null ? object : hiddenResponse(object, gated);
    },
    once: `${row.id} callback`,
    retentionUntil: expiresAt,
  });
}

function notifyEnded(context: RunsContext, accountId: string): void {
  context.database.notify(deliveriesChannel);
  context.database.notify(eventsChannel, accountId);
}
